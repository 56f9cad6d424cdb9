"""Spatial block bootstrap of the warming trend in a gridded anomaly data set."""
import argparse

import numpy as np

YEARS, NLAT, NLON = 120, 72, 1200
BLOCK = 8


def load_anomalies(path):
    return np.fromfile(path, dtype="<f4").reshape(YEARS, NLAT * NLON)


def area_weights():
    lat = np.deg2rad(np.linspace(-88.75, 88.75, NLAT))
    return np.repeat(np.cos(lat)[:, None], NLON, axis=1)


def resampled_weights(weights, rng):
    """Draw latitude bands x longitude blocks with replacement."""
    nblocks = NLON // BLOCK
    picks = rng.integers(0, nblocks, size=(NLAT, nblocks))
    counts = np.zeros((NLAT, nblocks))
    for row, pick in zip(counts, picks):
        row += np.bincount(pick, minlength=nblocks)
    w = weights * np.repeat(counts, BLOCK, axis=1)
    return (w / w.sum()).ravel().astype("f4")


def trend(series):
    t = np.arange(len(series), dtype=float)
    t -= t.mean()
    return 10.0 * float(np.dot(t, series - series.mean()) / np.dot(t, t))


def replicate(anomalies, weights, seed):
    rng = np.random.default_rng(seed)
    return trend((anomalies @ resampled_weights(weights, rng)).astype(float))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--file", default="anomalies.f4")
    parser.add_argument("--replicates", type=int, default=24)
    args = parser.parse_args()

    weights = area_weights()
    anomalies = load_anomalies(args.file)
    trends = []
    for r in range(args.replicates):
        trends.append(replicate(anomalies, weights, 1000 + r))
    trends = np.sort(np.array(trends))

    low, high = np.percentile(trends, [2.5, 97.5])
    print("trend per decade %.7f  (95%%: %.7f .. %.7f)" % (trends.mean(), low, high))
    np.savetxt("trends.txt", trends, fmt="%.9e")


if __name__ == "__main__":
    main()
