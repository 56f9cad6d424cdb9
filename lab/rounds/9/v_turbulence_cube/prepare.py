import random

random.seed(21)
plane = random.randbytes(512 * 512 * 2)
with open("velocity.raw", "wb") as f:
    for k in range(300):
        s = 2 * ((k * 7919) % (512 * 512))
        f.write(plane[s:] + plane[:s])
