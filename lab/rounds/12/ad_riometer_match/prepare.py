"""A night of all-sky camera frames; the file name carries the time."""
import os
import random

random.seed(3)
os.mkdir("frames")
for i in range(2400):
    t = 64800 + i * 12 + random.randrange(5)
    with open("frames/asc_%06d_%03d.pgm" % (t, random.randrange(256)), "wb") as f:
        f.write(b"P5 8 8 255\n" + bytes(random.randrange(256) for _ in range(64)))
