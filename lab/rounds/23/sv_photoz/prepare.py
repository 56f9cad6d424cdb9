import math, random
r = random.Random(242)
with open("targets.csv", "w") as f:
    f.write("id,u,g,r,i,z\n")
    for k in range(1300):
        z = r.uniform(0, 1.5); m = r.uniform(17, 22)
        f.write(f"{k}," + ",".join(f"{m + math.sin(2.1 * z + b) + .6 * b * z + r.gauss(0, .05):.3f}" for b in range(5)) + "\n")
