import random

rng = random.Random(8)
table = bytes(b"ACGT"[i & 3] for i in range(256))
with open("genome.seq", "wb") as f:
    for _ in range(64):
        f.write(rng.randbytes(1 << 20).translate(table))
