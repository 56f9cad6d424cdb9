import random

BASES = bytes(b"ACGT"[i & 3] for i in range(256))
rng = random.Random(41)
with open("contigs.fa", "wb") as out:
    for contig in range(40):
        out.write(b">contig_%03d length=60000\n" % contig)
        seq = rng.randbytes(60000).translate(BASES)
        for start in range(0, len(seq), 60):
            out.write(seq[start:start + 60] + b"\n")
