"""Texture features of image tiles; one small feature file per tile plus a journal."""
import os
import sys

import numpy as np


def synthetic_tile(rng, n):
    base = rng.standard_normal((n, n))
    spectrum = np.fft.rfft2(base)
    ky = np.fft.fftfreq(n)[:, None]
    kx = np.fft.rfftfreq(n)[None, :]
    spectrum /= 1.0 + 60.0 * np.hypot(ky, kx)
    return np.fft.irfft2(spectrum, s=(n, n))


def cooccurrence(tile, levels, offset):
    lo, hi = tile.min(), tile.max()
    q = ((tile - lo) / (hi - lo) * (levels - 1)).astype(int)
    dy, dx = offset
    a = q[:q.shape[0] - dy, :q.shape[1] - dx].ravel()
    b = q[dy:, dx:].ravel()
    m = np.bincount(a * levels + b, minlength=levels * levels).astype(float)
    return (m / m.sum()).reshape(levels, levels)


def features(tile):
    out = []
    for offset in ((0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (2, 2)):
        p = cooccurrence(tile, 24, offset)
        i, j = np.indices(p.shape)
        out.append((p * (i - j) ** 2).sum())
        out.append((p ** 2).sum())
        out.append(-(p[p > 0] * np.log(p[p > 0])).sum())
    power = np.abs(np.fft.fft2(tile)) ** 2
    out.append(np.log(power[1:8, 1:8]).mean())
    return np.array(out)


def main():
    ntiles = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    rng = np.random.default_rng(17)
    os.makedirs("features", exist_ok=True)
    rows = []
    for k in range(ntiles):
        tile = synthetic_tile(rng, 512)
        row = features(tile)
        rows.append(row)
        with open("features/tile_%04d.txt" % k, "w") as f:
            for value in row:
                f.write("%.8e\n" % value)
        with open("journal.txt", "a") as f:
            f.write("tile %04d done contrast %.5f\n" % (k, row[0]))
    table = np.array(rows)
    np.savetxt("summary.csv", table, delimiter=",")
    print("tiles %d  mean entropy %.6f" % (ntiles, table[:, 2].mean()))


if __name__ == "__main__":
    main()
