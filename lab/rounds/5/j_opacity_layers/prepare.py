"""Makes an absorption table kappa(wavelength, temperature), double precision."""
import array
import math

NWAVE, NTEMP = 20000, 40
with open("kappa.tab", "wb") as f:
    for j in range(NTEMP):
        t = 2500.0 + 150.0 * j
        row = array.array("d", (1e-3 * math.exp(-abs(math.sin(0.013 * i)) * 4000.0 / t)
                                for i in range(NWAVE)))
        f.write(row.tobytes())
