"""A list-mode file of a flow cytometer: 64-byte header, then 8 floats per event."""
import array
import random
import struct

random.seed(11)
N = 1000000
pool = []
for _ in range(4000):
    kind = random.random()
    size = random.gauss(300 if kind < 0.6 else 700, 60)
    pool.append([max(size, 1), max(random.gauss(0.5 * size, 40), 1)] +
                [random.lognormvariate(4 + 2 * (kind < 0.3) * (c % 2), 0.7) for c in range(6)])
with open("run.lmd", "wb") as out:
    out.write(struct.pack("<8sQQ40x", b"LISTMODE", N, 8))
    ev = array.array("f")
    for i in range(N):
        ev.extend(pool[(i * 2654435761 >> 7) % 4000])
    out.write(ev.tobytes())
