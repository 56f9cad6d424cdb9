# scans of fish ear stones: one brightness transect of 4096 pixels per fish
import array, math, random
rng = random.Random(61)
base = []
for kind in range(40):
    rings = rng.randrange(3, 14)
    row = array.array("H")
    for i in range(4096):
        r = i / 4096
        grow = (1 - math.exp(-2.2 * r)) / (1 - math.exp(-2.2))
        row.append(int(30000 + 9000 * math.cos(2 * math.pi * rings * grow) + rng.gauss(0, 900)))
    base.append(row.tobytes())
with open("transects.u16", "wb") as f:
    for fish in range(6000):
        f.write(base[rng.randrange(40)])
