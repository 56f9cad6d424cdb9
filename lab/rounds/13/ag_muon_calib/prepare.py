import os
import random

rng = random.Random(5)
PERIODS, SETS = 180, 24
for p in range(PERIODS):
    d = "conditions/period_%03d" % p
    os.makedirs(d)
    with open(d + "/period_info_%03d.py" % p, "w") as f:
        f.write("PERIOD = %d\n" % p)
for s in range(SETS):
    with open("conditions/period_%03d/calib_%02d.py" % (PERIODS - 1 - s % 6, s), "w") as f:
        f.write("# constants of the scintillator, set %d\n" % s)
        f.write("T0 = %.5f\nSLOPE = %.6f\n" % (rng.gauss(0.12, 0.03), rng.gauss(1.0, 0.004)))
        f.write("BACKGROUND = %.5f\n" % rng.uniform(0.04, 0.08))
        f.write("GAINS = [%s]\n" % ", ".join("%.4f" % rng.gauss(1, 0.05) for _ in range(32)))
