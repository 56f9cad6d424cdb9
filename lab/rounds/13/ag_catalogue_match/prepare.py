import random
from array import array

# two catalogues: ra, dec (degrees), magnitude as float64 triples
rng = random.Random(21)
stars = [(rng.uniform(150, 152), rng.uniform(-1, 1), 12 + 8 * rng.random()) for _ in range(120000)]
a, b = array("d"), array("d")
for ra, dec, mag in stars:
    a.extend((ra, dec, mag))
    if rng.random() < 0.8:
        b.extend((ra + rng.gauss(0, 8e-5), dec + rng.gauss(0, 8e-5), mag + rng.gauss(0, 0.05)))
with open("deep.cat", "wb") as f:
    a.tofile(f)
with open("wide.cat", "wb") as f:
    b.tofile(f)
