import os
import random
import struct
random.seed(5)
os.makedirs("counts", exist_ok=True)
for s in range(30):
    for d in range(40):
        for v in range(1, 1 + random.choice((1, 1, 2))):
            vals = [random.expovariate(0.1) * (1 + (d - 20) ** 2 / 400) for _ in range(24)]
            with open("counts/st%02d_day%03d_v%d.bin" % (s, d, v), "wb") as f:
                f.write(struct.pack("<24d", *vals))
