"""Synthetic X-ray fluorescence tiles, band-sequential float32."""
import array
import random

NBANDS, NY, NX = 120, 250, 256
random.seed(4)
base = array.array("f", (random.expovariate(0.2) for _ in range(NY * NX + 5000)))
for t in range(8):
    with open(f"tile{t}.cube", "wb") as out:
        for k in range(NBANDS):
            s = (t * 911 + k * 37) % 5000
            out.write(base[s:s + NY * NX].tobytes())
