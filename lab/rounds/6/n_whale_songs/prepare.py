"""Hydrophone recording, 16 bits per sample."""
import random

rng = random.Random(52)
minute = rng.randbytes(4 << 20)
with open("hydrophone.raw", "wb") as out:
    for _ in range(8):
        out.write(minute)
