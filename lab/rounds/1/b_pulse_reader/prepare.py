import numpy as np

rng = np.random.default_rng(9)
n = 900000
lengths = rng.integers(4, 12, n)
out = bytearray()
payload = rng.integers(0, 256, 4096, dtype="u1").tobytes()
for k in range(n):
    out += bytes((k % 32, int(lengths[k])))
    out += payload[k % 4000:k % 4000 + int(lengths[k])]
with open("pulses.dat", "wb") as f:
    f.write(out)
