"""Raw scan: photon counts of a few distinct frames, repeated over the angles."""
import random

NPROJ, NY, NX = 120, 512, 1024
random.seed(88)
frames = []
for k in range(4):
    high = bytes(random.randrange(60, 140) for _ in range(4096)) * (NY * NX // 4096)
    low = random.randbytes(NY * NX)
    both = bytearray(2 * NY * NX)
    both[0::2] = low
    both[1::2] = high
    frames.append(bytes(both))
with open("scan.raw", "wb") as f:
    for n in range(NPROJ):
        f.write(frames[(n * 7) % 4])
