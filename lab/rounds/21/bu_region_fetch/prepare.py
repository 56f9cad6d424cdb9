import gzip, random
random.seed(6)
import numpy as np
r = np.random.default_rng(6)
n = 12_000_000
b = np.frombuffer(b"ACGT", np.uint8)[r.integers(0, 4, n)].tobytes()
with gzip.open("chr.txt.gz", "wb", compresslevel=1) as f: f.write(b)
with open("regions.bed", "w") as f:
    for i in range(48):
        s = random.randrange(n - 2000)
        f.write(f"chr7\t{s}\t{s+random.randint(300,1500)}\tR{i}\n")
