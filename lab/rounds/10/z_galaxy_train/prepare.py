import random
import struct

rng = random.Random(8)
SAMPLES, FEATURES = 9000, 256
with open("galaxies.f32", "wb") as out:
    out.write(struct.pack("<II", SAMPLES, FEATURES))
    pool = [struct.pack("<256f", *(rng.gauss(0, 1) for _ in range(FEATURES))) for _ in range(400)]
    for n in range(SAMPLES):
        out.write(pool[rng.randrange(400)])
with open("galaxies.label", "wb") as out:
    out.write(bytes(rng.randrange(3) for _ in range(SAMPLES)))
