"""Leaf scans: one small file per leaf, the label in the name."""
import os
import random

rng = random.Random(68)
os.makedirs("leaves", exist_ok=True)
for k in range(1500):
    with open("leaves/leaf_%05d_%d.raw" % (k, rng.randrange(10)), "wb") as out:
        out.write(rng.randbytes(128 * 96))
