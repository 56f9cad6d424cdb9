import random
random.seed(11)
with open("panel.tsv", "w") as f:
    f.write("#amplicon\tforward\treverse\n")
    for i in range(260):
        a = "".join(random.choice("ACGT") for _ in range(random.randint(18, 27)))
        b = "".join(random.choice("ACGT") for _ in range(random.randint(18, 27)))
        f.write(f"AMP{i:04d}\t{a}\t{b}\n")
