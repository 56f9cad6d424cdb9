import random
random.seed(4)
bc = ["".join(random.choice("ACGT") for _ in range(8)) for _ in range(48)]
with open("barcodes.txt", "w") as f:
    for i, b in enumerate(bc): f.write(f"well{i:02d}\t{b}\n")
with open("pool.fq", "w") as f:
    for i in range(150000):
        b = random.choice(bc) if random.random() > .05 else "NNNNNNNN"
        s = b + "".join(random.choices("ACGT", k=60))
        f.write(f"@M0:{i}\n{s}\n+\n{'I'*len(s)}\n")
