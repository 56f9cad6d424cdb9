"""Half-hourly fluxes from the 20 Hz record of an eddy-covariance tower.

Rotated wind and scalars are handed from the correction step to the averaging
step through an exchange file, so that either step can be repeated.
"""
import argparse
import json

import numpy as np

COLUMNS = ("u", "v", "w", "temperature", "co2", "h2o")


def read_record(path):
    raw = np.fromfile(path, dtype="<f4")
    return raw.reshape(-1, len(COLUMNS)).astype(np.float64)


def despike(data, limit):
    """Values beyond the limit (in standard deviations) become the median."""
    mid = np.median(data, axis=0)
    far = np.abs(data - mid) > limit * data.std(axis=0)
    out = np.where(far, mid, data)
    return out, int(far.sum())


def rotate(data):
    """Double rotation: mean v and mean w vanish."""
    u, v, w = data[:, 0].copy(), data[:, 1].copy(), data[:, 2].copy()
    a = np.arctan2(v.mean(), u.mean())
    u, v = u * np.cos(a) + v * np.sin(a), -u * np.sin(a) + v * np.cos(a)
    b = np.arctan2(w.mean(), u.mean())
    u, w = u * np.cos(b) + w * np.sin(b), -u * np.sin(b) + w * np.cos(b)
    return np.column_stack([u, v, w, data[:, 3:]])


def put_exchange(path, data):
    np.savetxt(path + ".txt", data, fmt="%.17g")


def get_exchange(path):
    return np.loadtxt(path + ".txt")


def fluxes(data, length):
    """Covariances of w with the scalars for each averaging interval."""
    rows = []
    for first in range(0, len(data) - length + 1, length):
        part = data[first:first + length]
        part = part - part.mean(axis=0)
        w = part[:, 2]
        rows.append([float(np.mean(w * part[:, k])) for k in (3, 4, 5)])
    return rows


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("record")
    p.add_argument("--limit", type=float, default=5.0)
    p.add_argument("--interval", type=int, default=6000)
    p.add_argument("--exchange", default="rotated")
    args = p.parse_args()

    data = read_record(args.record)
    data, spikes = despike(data, args.limit)
    put_exchange(args.exchange, rotate(data))
    rows = fluxes(get_exchange(args.exchange), args.interval)
    with open("fluxes.json", "w") as f:
        json.dump({"spikes": spikes, "fluxes": rows}, f)
    print(f"spikes {spikes}")
    for i, row in enumerate(rows[:6]):
        print(i, " ".join(f"{x:12.8f}" for x in row))
    print("sum", " ".join(f"{x:.8f}" for x in np.sum(rows, axis=0)))


if __name__ == "__main__":
    main()
