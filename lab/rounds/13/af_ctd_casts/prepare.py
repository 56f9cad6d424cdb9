"""CTD archive: file header, a table of casts, then the samples of all casts."""
import random
import struct

N = 800000
KINDS = 1001
random.seed(12)
kinds = []
for k in range(KINDS):
    n = 4 + k % 5
    lat = random.uniform(-60, 70)
    surface = 27 - 0.38 * abs(lat)
    row = []
    for j in range(n):
        row += (10.0 + 120.0 * j, 2.0 + (surface - 2.0) * 0.72 ** j + 0.02 * (k % 11),
                34.2 + 0.05 * j + 0.01 * (k % 7))
    kinds.append((n, lat, struct.pack("<%df" % len(row), *row)))
base = 16 + N * 48
table = bytearray()
data = bytearray()
for i in range(N):
    n, lat, samples = kinds[i * 37 % KINDS]
    table += struct.pack("<iiddqd8x", i, n, lat, (i * 0.37) % 360 - 180, base + len(data), 2000 + i / N)
    data += samples
with open("casts.ctd", "wb") as f:
    f.write(struct.pack("<4siq", b"CTD1", N, base))
    f.write(table)
    f.write(data)
