"""A shot gather archive: 240-byte headers and 2048 big-endian floats per trace."""
import array
import math
import random
import struct

NS, NTR, NSHOT = 2048, 96, 110
random.seed(3)
noise = [random.gauss(0, 0.02) for _ in range(NS * 3)]
traces = []
for t in range(NTR):
    off = 100.0 + 25.0 * t
    a = array.array("f", bytes(4 * NS))
    for layer, (t0, v) in enumerate(((0.4, 1800.0), (0.9, 2300.0), (1.5, 2900.0))):
        arrival = math.sqrt(t0 * t0 + (off / v) ** 2) / 0.002
        for k in range(max(0, int(arrival) - 20), min(NS, int(arrival) + 20)):
            x = (k - arrival) * 0.16
            a[k] += (1 - 2 * x * x) * math.exp(-x * x) * 2.0 / (layer + 1)
    shift = (t * 37) % (2 * NS)
    for k in range(NS):
        a[k] = a[k] * math.exp(-k / 900.0) + noise[shift + k]
    a.byteswap()
    traces.append((off, a.tobytes()))
with open("line7.sgt", "wb") as f:
    f.write(struct.pack(">4siii", b"SGT1", NSHOT, NTR, NS))
    for s in range(NSHOT):
        for t, (off, data) in enumerate(traces):
            f.write(struct.pack(">iif228x", s, t, off))
            f.write(data)
