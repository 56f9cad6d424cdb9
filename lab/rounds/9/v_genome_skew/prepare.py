import random

random.seed(15)
bases = bytes(random.choices(b"ACGT", weights=(29, 21, 22, 28), k=1 << 20))
with open("genome.seq", "wb") as f:
    for k in range(130):
        s = (k * 104729) % (1 << 20)
        f.write(bases[s:] + bases[:s])
