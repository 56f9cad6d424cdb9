"""Spool folder of a weather radar: one small file for each antenna sweep."""
import os
import random

rng = random.Random(311)
os.makedirs("spool", exist_ok=True)
for k in range(3600):
    volume, sweep = divmod(k, 6)
    name = "spool/sweep_%05d_%d_%s.raw" % (volume, sweep, "abcdefgh"[k * 7 % 8])
    with open(name, "wb") as out:
        out.write(rng.randbytes(720))
