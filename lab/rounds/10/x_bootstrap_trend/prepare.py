"""Gridded temperature anomalies: 120 years x 72 x 1200 cells, float32."""
import array
import random

rng = random.Random(12)
base = array.array("f", (rng.gauss(0.0, 1.0) for _ in range(72 * 1200)))
with open("anomalies.f4", "wb") as f:
    for year in range(120):
        shift = rng.randrange(len(base))
        row = base[shift:] + base[:shift]
        row[year % 7::7] = array.array("f", (x + 0.01 * year for x in row[year % 7::7]))
        row.tofile(f)
