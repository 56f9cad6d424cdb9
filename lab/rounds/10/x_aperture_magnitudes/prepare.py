"""Star counts per frame and one calibration file per filter."""
import array
import json
import random

rng = random.Random(99)
for k, band in enumerate("ugriz"):
    with open("calib_%s.json" % band, "w") as f:
        json.dump({"zero": 24.5 + 0.3 * k, "extinction": 0.42 - 0.08 * k, "colour": 0.02 * (k - 2)}, f)
values = array.array("d")
for star in range(200000):
    flux = 10.0 ** rng.uniform(2.0, 5.0)
    values.extend((flux, 80.0 + 10.0 * rng.random(), rng.uniform(-0.3, 1.6)))
with open("frames.dat", "wb") as f:
    values.tofile(f)
