import numpy as np
r = np.random.default_rng(5)
n = 160000
g = r.integers(0, 4000, n); s = r.integers(0, 48, n); c = r.negative_binomial(2, 0.02, n)
with open("counts.tsv", "w") as f:
    f.write("".join(f"ENSG{a:08d}\tS{b:02d}\t{d}\n" for a, b, d in zip(g.tolist(), s.tolist(), c.tolist())))
