import os
import random
from array import array

random.seed(11)
for night in range(64):
    os.makedirs(f"calib/n{night:03d}", exist_ok=True)
k = 0
for ccd in range(4):
    for kind in ("bias", "dark", "flat"):
        night = 3 + (k * 7) % 12
        k += 1
        base = {"bias": 100.0, "dark": 4.0, "flat": 1.0}[kind]
        vals = array("f", (base * (1 + 0.02 * random.random()) for _ in range(48 * 48)))
        with open(f"calib/n{night:03d}/{kind}_ccd{ccd}.raw", "wb") as fh:
            vals.tofile(fh)
