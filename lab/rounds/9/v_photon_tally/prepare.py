import random
import struct

random.seed(3)
n = 600000
block = bytearray()
for i in range(8000):
    block += struct.pack("<4f", random.random() * 6.2831, random.random(), random.expovariate(0.5), random.random())
with open("photons.bin", "wb") as f:
    for k in range(n // 8000):
        f.write(block)
