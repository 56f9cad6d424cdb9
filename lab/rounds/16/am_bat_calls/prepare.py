import math
import random
import struct
random.seed(21)
N = 600000
rows = []
for k in range(4000):
    f0 = random.uniform(25, 80)
    amp = [abs(random.gauss(math.exp(-((20 + 5 * j - f0) / 9.0) ** 2), 0.05)) for j in range(14)]
    rows.append(struct.pack("<ii14f", k, random.randrange(6), *amp))
with open("calls.rec", "wb") as f:
    for i in range(N // 4000):
        random.shuffle(rows)
        f.write(b"".join(rows))
