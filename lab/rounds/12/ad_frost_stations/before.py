"""Date of the last spring frost: extreme-value fit (Gumbel) for each station
with bootstrap confidence limits, and the trend over three decades."""
import glob
import os
import sys

import numpy as np

FROST = 0.0
RISK = 0.1              # one year in ten


class Station:
    def __init__(self, path):
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.height = None
        self.last = {}
        with open(path) as f:
            for line in f:
                self._take(line)

    def _take(self, line):
        if line.startswith("#"):
            self.height = float(line.split()[-1])
            return
        year, day, tmin = line.split()
        if float(tmin) < FROST:
            year, day = int(year), int(day)
            self.last[year] = max(day, self.last.get(year, 0))

    def series(self):
        years = np.array(sorted(self.last), float)
        return years, np.array([self.last[int(y)] for y in years], float)


def load_stations(folder):
    stations = []
    for path in sorted(glob.glob(os.path.join(folder, "TN_*.txt"))):
        if os.path.exists(path) and os.path.getsize(path) > 1000:
            stations.append(Station(path))
    return stations


def gumbel_fit(x, iterations=40):
    """Maximum likelihood of the Gumbel distribution for many samples at once."""
    beta = x.std(axis=-1) * np.sqrt(6) / np.pi
    mean = x.mean(axis=-1)
    for _ in range(iterations):
        w = np.exp(-(x - mean[..., None]) / beta[..., None])
        beta = 0.5 * beta + 0.5 * (mean - (x * w).sum(axis=-1) / w.sum(axis=-1))
        beta = np.maximum(beta, 0.5)
    w = np.exp(-(x - mean[..., None]) / beta[..., None])
    return mean - beta * np.log(w.mean(axis=-1)), beta


def risk_day(mu, beta):
    return mu - beta * np.log(-np.log(1 - RISK))


def bootstrap(x, n, rng):
    lows, highs = [], []
    for _ in range(4):
        sample = x[rng.integers(0, len(x), (n // 4, len(x)))]
        days = risk_day(*gumbel_fit(sample))
        lows.append(np.percentile(days, 5))
        highs.append(np.percentile(days, 95))
    return float(np.mean(lows)), float(np.mean(highs))


def trend(years, days):
    """Theil-Sen slope, days per decade."""
    i, j = np.triu_indices(len(years), 1)
    return 10 * float(np.median((days[j] - days[i]) / (years[j] - years[i])))


def main():
    nboot = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = np.random.default_rng(5)
    rows = []
    for st in load_stations("stations"):
        years, days = st.series()
        if len(days) < 10:
            continue
        day = float(risk_day(*gumbel_fit(days)))
        low, high = bootstrap(days, nboot, rng)
        rows.append((st.name, st.height, day, low, high, trend(years, days)))
    with open("frost.txt", "w") as f:
        for r in rows:
            f.write("%s %6.0f m  day %6.1f (%6.1f ... %6.1f)  %+5.2f d/decade\n" % r)
    print("%d stations, mean risk day %.1f, mean trend %+.2f days per decade"
          % (len(rows), np.mean([r[2] for r in rows]), np.mean([r[5] for r in rows])))


if __name__ == "__main__":
    main()
