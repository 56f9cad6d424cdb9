"""Makes an integral-field cube, stored spaxel by spaxel (y, x, wavelength), float32."""
import array
import math
import random

NY, NX, NW = 96, 96, 600
random.seed(8)
continuum = [[100.0 + 20.0 * math.sin(0.01 * w + p) + (300.0 if abs(w - 250 - p) < 4 else 0.0)
              for w in range(NW)] for p in range(24)]
rows = [array.array("f", c).tobytes() for c in continuum]
with open("cube.f32", "wb") as f:
    for s in range(NY * NX):
        f.write(rows[random.randrange(24)])
