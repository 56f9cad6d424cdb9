"""A protein bank with residues drawn at natural frequencies."""
import random

random.seed(20)
RES = "ARNDCQEGHILKMFPSTWYV"
FREQ = [8.3, 5.5, 4.1, 5.5, 1.4, 3.9, 6.8, 7.1, 2.3, 6.0, 9.7, 5.8, 2.4, 3.9, 4.7, 6.6, 5.3, 1.1, 2.9, 6.9]
with open("bank.fasta", "w") as f:
    for n in range(6000):
        seq = "".join(random.choices(RES, FREQ, k=random.randint(80, 600)))
        f.write(f">P{n:05d} putative protein {n}\n")
        for k in range(0, len(seq), 60):
            f.write(seq[k:k + 60] + "\n")
