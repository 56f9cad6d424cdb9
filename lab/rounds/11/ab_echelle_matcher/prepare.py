# 150 spectra of 2048 16-bit pixels: continuum 30000 with absorption lines, shifted by the star's velocity
import array, math
NPIX, N, LINES = 2048, 150, 40
centres = [60 + (NPIX - 120) * (i + 0.3 * math.sin(7.0 * i)) / LINES for i in range(LINES)]
with open("spectra.bin", "wb") as f:
    for s in range(N):
        v = 60 * math.sin(0.37 * s)
        pix = [30000 + (j * 7919 + s * 104729) % 301 - 150 for j in range(NPIX)]
        for i, c in enumerate(centres):
            x0 = c + v / 299792.458 / 2.5e-5
            for j in range(int(x0) - 6, int(x0) + 8):
                pix[j] -= int(15000 * math.exp(-0.5 * ((j - x0) / 2.0) ** 2))
        f.write(array.array("H", [max(p, 0) for p in pix]).tobytes())
