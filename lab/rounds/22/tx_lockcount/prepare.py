import os, random
rng = random.Random(2208)
os.makedirs("shards", exist_ok=True)
vocab = ["".join(rng.choice("abcdefghiklmnoprst") for _ in range(rng.randint(3, 8))) for _ in range(20000)]
for s in range(140):
    with open("shards/part-%05d.txt" % s, "w") as f:
        for _ in range(120):
            f.write(" ".join(rng.choice(vocab) for _ in range(25)) + "\n")
