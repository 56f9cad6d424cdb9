import random
rng = random.Random(2201)
FEATS = ["PPL", "PPLA", "PPLC", "STM", "MT", "LK", "HTL", "FRM"]
SYL = ["ka", "lo", "mer", "stad", "vik", "bru", "tan", "dor", "sel", "nau", "pol", "gra"]
with open("places.tsv", "w", encoding="utf-8") as f:
    for i in range(90000):
        name = "".join(rng.choice(SYL) for _ in range(3)).title()
        f.write("%d\t%s\t%.5f\t%.5f\t%s\t%s\t%d\n" % (100000 + i, name, rng.uniform(-60, 75),
                rng.uniform(-180, 180), rng.choice(FEATS), rng.choice(["NO", "DE", "FR", "IN", "BR", "KE"]),
                int(rng.paretovariate(1.1) * 50)))
