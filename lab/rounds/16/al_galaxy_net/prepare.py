# Cut-outs of galaxies in three classes, one gzipped file of 24x24 uint16 each.
import array
import gzip
import math
import os
import random

random.seed(3)
N, SIDE = 1200, 24
os.makedirs("cutouts")
labels = []
for k in range(N):
    cls = k % 3
    phase, tilt = random.uniform(0, math.pi), random.uniform(0.4, 0.9)
    ca, sa = math.cos(phase), math.sin(phase)
    img = array.array("H")
    for y in range(SIDE):
        for x in range(SIDE):
            u = (x - 11.5) * ca + (y - 11.5) * sa
            v = ((y - 11.5) * ca - (x - 11.5) * sa) / (1.0 if cls == 0 else tilt)
            r = math.hypot(u, v)
            flux = 900 * math.exp(-r / 4.0)
            if cls == 1:
                flux *= 1 + 0.7 * math.cos(2 * math.atan2(v, u) - 0.6 * r)
            elif cls == 2:
                flux = 500 * math.exp(-(r - 6) ** 2 / 6.0)
            img.append(max(0, int(100 + flux + random.gauss(0, 25))))
    name = "cutouts/gal_%05d.gz" % k
    with gzip.GzipFile(name, "wb", 4, mtime=0) as f:
        f.write(img.tobytes())
    labels.append("%s %d" % (name, cls))
with open("labels.txt", "w") as f:
    f.write("\n".join(labels) + "\n")
