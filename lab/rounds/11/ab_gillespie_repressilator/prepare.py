# bench log of the inducer concentration, one line a minute
with open("inducer.log", "w") as f:
    for i in range(900):
        f.write("%8.2f %10.5f\n" % (i * 1.0, 0.2 + 0.001 * (i % 50)))
