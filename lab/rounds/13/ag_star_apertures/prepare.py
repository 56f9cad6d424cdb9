import random

rng = random.Random(9)
with open("frame.raw", "wb") as f:       # 4096 rows of 8192 pixels, 16 bit
    for row in range(4096):
        f.write(rng.randbytes(2 * 8192))
