# Fake raw data of a drift tube chamber: events of a few to some dozen hits.
import struct
import random

random.seed(41)
NEVENTS = 140000
raw = random.randbytes(2 << 20)
pos = 0
with open("run0412.raw", "wb") as f:
    for ev in range(NEVENTS):
        nhit = random.randint(6, 40)
        if pos + 12 * nhit > len(raw):
            pos = 0
        f.write(struct.pack("<IHHd", ev, nhit, ev % 7, 0.001 * ev))
        f.write(raw[pos:pos + 12 * nhit])
        pos += 12 * nhit
