import random, struct
from array import array
import os
rng = random.Random(5)
npart, nhalo, per = 700000, 7000, 200
chunk = array("d")
block = [rng.gauss(0, 1) for _ in range(7 * 10007)]
a = array("d", block)
with open("particles.bin", "wb") as f:
    left = npart * 7
    while left > 0:
        k = min(left, len(a))
        a[:k].tofile(f)
        left -= k
with open("members.bin", "wb") as f:
    f.write(struct.pack("<ii", nhalo, per))
    array("i", [int(rng.random() * npart) for _ in range(nhalo * per)]).tofile(f)
