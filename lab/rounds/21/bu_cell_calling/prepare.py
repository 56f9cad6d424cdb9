import random
random.seed(23)
wl = ["".join(random.choices("ACGT", k=16)) for _ in range(3000)]
with open("whitelist.txt", "w") as f: f.write("\n".join(wl) + "\n")
with open("observed.txt", "w") as f:
    for i in range(4500):
        b = list(random.choice(wl))
        for _ in range(random.choice([0, 0, 1, 1, 2, 5])):
            p = random.randrange(16)
            b[p] = random.choice("ACGTN")
        f.write("".join(b) + f"\t{random.randint(1, 300)}\n")
