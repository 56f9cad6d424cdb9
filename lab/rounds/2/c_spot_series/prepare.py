import os, random

random.seed(3)
block = random.randbytes(1 << 20)
with open("movie.raw", "wb") as f:
    for k in range(200):
        o = random.randrange(1 << 20)
        f.write(block[o:] + block[:o])
