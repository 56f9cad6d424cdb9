"""Tidal analysis of a year of gauge records: harmonic fit, residual
statistics, spectrum; writes a small table and two pictures per station."""
import csv
import glob
import os

import numpy as np

PERIODS = {"M2": 12.4206, "S2": 12.0, "O1": 25.8193, "K1": 23.9345, "N2": 12.6583}


def design(t):
    cols = [np.ones_like(t)]
    for p in PERIODS.values():
        cols += [np.cos(2 * np.pi * t / p), np.sin(2 * np.pi * t / p)]
    return np.column_stack(cols)


def harmonic_fit(t, level):
    a = design(t)
    coef, *_ = np.linalg.lstsq(a, level, rcond=None)
    return coef, level - a @ coef


def spectrum(x, parts=64):
    n = len(x) // parts
    win = np.hanning(n)
    seg = x[:n * parts].reshape(parts, n) * win
    return (np.abs(np.fft.rfft(seg, axis=1)) ** 2).mean(axis=0)


def curve_image(y, width=720, height=240):
    img = np.full((height, width, 3), 255, dtype=np.uint8)
    blocks = np.array_split(y, width)
    lo, hi = y.min(), y.max()
    for col, b in enumerate(blocks):
        r0 = int((hi - b.max()) / (hi - lo) * (height - 1))
        r1 = int((hi - b.min()) / (hi - lo) * (height - 1))
        img[r0:r1 + 1, col] = (30, 80, 160)
    return img


def save_ppm(path, img):
    with open(path, "wb") as f:
        f.write(b"P6 %d %d 255\n" % (img.shape[1], img.shape[0]))
        f.write(img.tobytes())


def save_svg(path, y, width=600, height=200):
    y = np.log10(y[1:] + 1e-12)
    xs = np.linspace(0, width, len(y))
    ys = height * (y.max() - y) / (y.max() - y.min())
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(xs[::4], ys[::4]))
    with open(path, "w") as f:
        f.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
                f'<polyline fill="none" stroke="navy" points="{points}"/></svg>\n')


def main():
    os.makedirs("report", exist_ok=True)
    rows = []
    for path in sorted(glob.glob("*.f64")):
        name = os.path.splitext(path)[0]
        level = np.fromfile(path)
        t = np.arange(level.size) / 10.0
        coef, resid = harmonic_fit(t, level)
        spec = spectrum(resid)
        save_ppm(f"report/{name}.ppm", curve_image(level))
        save_svg(f"report/{name}.svg", spec)
        amps = [np.hypot(coef[1 + 2 * i], coef[2 + 2 * i]) for i in range(len(PERIODS))]
        rows.append([name, coef[0], resid.std(), np.percentile(resid, 99.9), *amps])
    with open("report/constituents.csv", "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["station", "mean", "residual", "p99.9", *PERIODS])
        for r in rows:
            out.writerow([r[0], *(f"{v:.5f}" for v in r[1:])])
    print("stations", len(rows), " M2 mean %.5f" % np.mean([r[4] for r in rows]))


if __name__ == "__main__":
    main()
