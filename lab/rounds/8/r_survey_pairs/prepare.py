"""Write a night folder with small raw exposure frames."""
import os
import struct
import random

random.seed(11)
os.makedirs("night", exist_ok=True)
for exp in range(700):
    for ccd in range(6):
        name = "obs_%05d_ccd%02d_%s.raw" % (exp, ccd, "grizy"[(exp + ccd) % 5])
        with open(os.path.join("night", name), "wb") as f:
            f.write(struct.pack("<4d", exp, ccd, 1000 + 50 * random.random(), 5 + random.random()))
