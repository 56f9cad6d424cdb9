import numpy as np

rng = np.random.default_rng(31)
genome = rng.choice(np.frombuffer(b"ACGT", dtype=np.uint8), 600_000)
starts = rng.integers(0, genome.size - 150, 160_000)
reads = genome[starts[:, None] + np.arange(150)]
with open("reads.fa", "wb") as f:
    f.write(b"".join(b">r%06d\n%b\n" % (i, r.tobytes()) for i, r in enumerate(reads)))
