# absorption cross sections of ozone: 64 temperatures x 2048 wavelengths, float64
import array
import math

with open("xsection.f64", "wb") as f:
    for j in range(64):
        temp = 190.0 + 2.0 * j
        row = array.array("d")
        for i in range(2048):
            wl = 290.0 + 0.025 * i
            row.append(1.0e-18 * math.exp(-0.12 * (wl - 290.0)) * (1.0 + 0.002 * (temp - 240.0))
                       * (1.0 + 0.1 * math.sin(wl * 2.1)))
        row.tofile(f)
