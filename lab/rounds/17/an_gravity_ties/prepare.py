# A gravimeter survey: loops of readings between visits of the base station.
import random
import struct

random.seed(31)
LOOPS, LENGTH = 48000, 30
with open("survey.grv", "wb") as f:
    f.write(struct.pack("<8sI", b"GRVSURV1", LOOPS).ljust(64, b"\0"))
    for loop in range(LOOPS):
        rate = random.gauss(0, 0.01)
        t0 = loop * 9.0
        rows = []
        for k in range(LENGTH):
            base = k % 10 == 0 or k == LENGTH - 1
            t = t0 + 0.25 * k
            height = 0.0 if base else random.uniform(-40, 60)
            g = 3200 + rate * (t - t0) + random.gauss(0, 0.01) - 0.3086 * height
            rows.append(struct.pack("<IIddddddd", loop, 0 if base else k, t, g, height, 0.82, 0, 0, 0))
        f.write(b"".join(rows))
