"""Makes a genome of 48 Mb with coding stretches (biased third codon position)."""
import random

random.seed(42)
PIECE = 1 << 14
background = bytes(random.choices(b"ACGT", weights=[3, 2, 2, 3], k=1 << 18))
codons = [bytes((a, b, c)) for a in b"ACGT" for b in b"ACGT" for c in b"GC"]
coding = b"".join(random.choices(codons, k=(1 << 18) // 3))
with open("genome.seq", "wb") as f:
    for i in range(48 * 64):
        src = coding if random.random() < 0.35 else background
        o = random.randrange(len(src) - PIECE)
        f.write(src[o:o + PIECE])
