"""Writes a Chebyshev ephemeris kernel (records of 8-day granules)."""
import array
import math
import random

random.seed(11)
NREC, NBODY, NC = 9000, 9, 13          # 9 bodies, 3 components, 13 coefficients
with open("kernel.eph", "wb") as f:
    for r in range(NREC):
        a = array.array("d", [r * 8.0, (r + 1) * 8.0])
        for b in range(NBODY):
            P = 88.0 * (1.9 ** b)
            R = 0.387 * (1.55 ** b)
            ph = 2 * math.pi * (r * 8.0 + 4.0) / P
            w = 2 * math.pi * 4.0 / P
            for c in range(3):
                s = (math.cos(ph), math.sin(ph), 0.05 * math.sin(ph + 1))[c]
                g = (-math.sin(ph), math.cos(ph), 0.05 * math.cos(ph + 1))[c]
                k = [R * s * (1 - w * w / 4), R * g * w, -R * s * w * w / 4]
                k += [random.gauss(0, 1e-7) * 0.3 ** i for i in range(NC - 3)]
                a.extend(k)
        f.write(a.tobytes())
