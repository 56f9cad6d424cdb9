import random, struct
import numpy as np
rng = random.Random(2207)
nr = np.random.default_rng(2207)
n, dim = 150000, 32
words = set()
while len(words) < n:
    words.add("".join(rng.choice("aeioulnrstkmdv") for _ in range(rng.randint(5, 14))))
words = sorted(words)
vecs = nr.normal(size=(n, dim)).astype("<f4")
with open("vectors.bin", "wb") as f:
    f.write(b"%d %d\n" % (n, dim))
    for w, v in zip(words, vecs):
        f.write(w.encode() + b" " + v.tobytes() + b"\n")
with open("queries.txt", "w") as f:
    f.write("\n".join(rng.sample(words, 20)) + "\n")
