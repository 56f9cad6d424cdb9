import random

random.seed(31)
block = random.randbytes(1 << 20)
with open("beam.fil", "wb") as f:
    for k in range(16):
        o = random.randrange(1 << 20)
        f.write(block[o:] + block[:o])
