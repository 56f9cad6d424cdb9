import random
rng = random.Random(2218)
vocab = ["".join(rng.choice("abcdefghiklmnoprstuw") for _ in range(rng.randint(2, 9))) for _ in range(900)]
with open("text.txt", "w") as f:
    for _ in range(6000):
        f.write(" ".join(rng.choice(vocab) for _ in range(12)) + ".\n")
