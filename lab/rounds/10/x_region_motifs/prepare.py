"""Random genome of 48 Mb (one long line) and peak positions in arrival order."""
import random

SIZE = 48_000_000
rng = random.Random(8)
table = bytes(b"ACGT"[b & 3] for b in range(256))
with open("genome.seq", "wb") as f:
    f.write(rng.randbytes(SIZE).translate(table))
with open("peaks.bed", "w") as f:
    for k in range(700):
        start = rng.randrange(0, SIZE - 24000)
        f.write("chr1\t%d\t%d\tpeak%d\n" % (start, start + 24000, k))
