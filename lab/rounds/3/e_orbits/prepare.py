import random
import struct

random.seed(6)
with open("elements.dat", "wb") as fh:
    for k in range(40000):
        fh.write(struct.pack("<6d", random.uniform(0.8, 4.0), random.uniform(0.0, 0.7), random.uniform(0, 0.5),
                             random.uniform(0, 6.283), random.uniform(0, 6.283), random.uniform(0, 6.283)))
