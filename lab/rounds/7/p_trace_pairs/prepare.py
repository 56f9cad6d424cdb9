import random

rng = random.Random(7)
with open("traces.raw", "wb") as out:
    for block in range(48):
        out.write(rng.randbytes(128 * 4096))
