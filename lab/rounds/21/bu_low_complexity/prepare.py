import random
random.seed(19)
with open("contigs.fa", "w") as f:
    for i in range(1200):
        s = "".join(random.choices("ACGT", k=random.randint(150, 500)))
        if random.random() < .3:
            p = random.randrange(len(s)); s = s[:p] + random.choice(["A", "AT", "CAG"]) * 15 + s[p:]
        f.write(f">c{i}\n{s}\n")
