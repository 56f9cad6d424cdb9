"""Calibration tree of the survey: a few exposures have their own flat field correction."""
import os
import random

rng = random.Random(99)
epochs = ["epoch%02d" % k for k in range(14)]
for name in epochs:
    os.makedirs(os.path.join("calib", name), exist_ok=True)
for exposure in rng.sample(range(24000), 120):
    where = os.path.join("calib", rng.choice(epochs), "flat_%06d.dat" % exposure)
    with open(where, "w") as out:
        out.write(" ".join("%.5f" % rng.uniform(0.97, 1.03) for _ in range(16)) + "\n")
