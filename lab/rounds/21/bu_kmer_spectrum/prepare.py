import random
random.seed(77)
g = "".join(random.choices("ACGT", k=40000))
with open("reads.fa", "w") as f:
    for i in range(22000):
        p = random.randrange(len(g) - 100)
        s = list(g[p:p+100])
        if random.random() < .3: s[random.randrange(100)] = random.choice("ACGT")
        f.write(f">r{i}\n{''.join(s)}\n")
