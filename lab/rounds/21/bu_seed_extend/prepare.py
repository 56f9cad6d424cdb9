import numpy as np, random
r = np.random.default_rng(2); random.seed(2)
n = 24_000_000
g = np.frombuffer(b"ACGT", np.uint8)[r.integers(0, 4, n)]
g.tofile("ref.seq")
with open("seeds.tsv", "w") as f:
    for i in range(24000):
        p = random.randrange(200, n - 400)
        s = g[p:p+100].copy()
        for _ in range(random.randint(0, 12)): s[random.randrange(100)] = ord(random.choice("ACGT"))
        f.write(f"{p + random.randint(-6, 6)}\t{s.tobytes().decode()}\n")
