# Steering file of the orbit code: the operator may edit it while the run goes on.
with open("steering.txt", "w") as f:
    f.write("0        stop flag (1: end the run now)\n")
    f.write("1.0      scale of the wave amplitude\n")
    f.write("500      steps between samples\n")
