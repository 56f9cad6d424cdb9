import numpy as np
r = np.random.default_rng(8)
A = np.frombuffer(b"ACGT", np.uint8)
for s in range(3):
    n = 500000
    m = 220000 + 60000 * s
    cells = A[r.integers(0, 4, (1500, 16))]
    c = cells[r.integers(0, 1500, m)]; u = A[r.integers(0, 4, (m, 10))]
    g = r.zipf(1.4, m) % 3000
    mol = [b"%s\t%s\tG%04d\n" % (c[i].tobytes(), u[i].tobytes(), g[i]) for i in range(m)]
    with open(f"S{s}.tags", "wb") as f:
        f.write(b"".join(mol[i] for i in r.integers(0, m, n)))
