import numpy as np
r = np.random.default_rng(3)
n = 60000
b = np.frombuffer(b"ACGT", np.uint8)[r.integers(0, 4, (n, 100))]
q = (r.integers(2, 41, (n, 100)) + 33).astype(np.uint8)
with open("reads.fq", "wb") as f:
    f.write(b"".join(b"@r%d\n%s\n+\n%s\n" % (i, b[i].tobytes(), q[i].tobytes()) for i in range(n)))
