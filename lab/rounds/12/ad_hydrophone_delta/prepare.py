"""Makes a delta-coded hydrophone recording (zig-zag variable-length integers)."""
import math
import random

random.seed(5)
NBLOCK, BLOCK = 560, 4096


def varint(v, out):
    while v >= 0x80:
        out.append((v & 0x7F) | 0x80)
        v >>= 7
    out.append(v)


out = bytearray(b"HYD1")
varint(NBLOCK, out)
last = 0
for b in range(NBLOCK):
    varint(BLOCK, out)
    call = random.random() < 0.3
    f = random.uniform(0.01, 0.02)
    for i in range(BLOCK):
        x = random.gauss(0, 90)
        if call:
            x += 1500 * math.sin(2 * math.pi * f * i) * math.exp(-((i - 2000) / 700.0) ** 2)
        s = int(x)
        d = s - last
        last = s
        varint(2 * d if d >= 0 else -2 * d - 1, out)
with open("mooring3.hyd", "wb") as f:
    f.write(out)
