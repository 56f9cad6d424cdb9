# sound feature shards of a hive microphone: float32 rows of 96 bands + 1 label
import os, random
from array import array
random.seed(250)
os.mkdir("shards")
ROWS, BANDS = 8000, 96
noise = array("f", [random.gauss(0, 1) for _ in range(200003)])
for s in range(6):
    buf = array("f")
    for r in range(ROWS):
        lab = 1.0 if random.random() < 0.4 else 0.0
        o = random.randrange(200003 - BANDS)
        row = noise[o:o + BANDS]
        c = 30 + int(8 * lab) + random.randint(-4, 4)
        for k in range(c - 3, c + 4):
            row[k] += 0.9
        buf.extend(row)
        buf.append(lab)
    with open("shards/hive_%02d.f32" % s, "wb") as f:
        f.write(buf.tobytes())
