import random
random.seed(21)
with open("probes.tsv", "w") as f:
    for i in range(900):
        f.write(f"P{i:06d}\t{''.join(random.choices('ACGT', k=random.randint(22, 30)))}\n")
