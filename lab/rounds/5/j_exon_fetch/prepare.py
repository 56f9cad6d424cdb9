"""Makes a base-quality track and the table of exons (sorted by start)."""
import random
import struct

random.seed(5)
GENOME = 40_000_000
chunk = bytes(random.choices(range(2, 42), k=1_000_000))
with open("quality.track", "wb") as f:
    for _ in range(GENOME // len(chunk)):
        f.write(chunk)
starts = sorted(random.randrange(0, GENOME - 400) for _ in range(1_300_000))
with open("exons.idx", "wb") as f:
    for s in starts:
        f.write(struct.pack("<qii", s, random.randint(24, 60), random.randrange(24)))
