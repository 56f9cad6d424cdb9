"""Leading EOFs of 500 hPa height anomalies from a reanalysis file, with the filtered anomalies kept for later work."""
import argparse

import h5py
import numpy as np


class Field:
    """Slabs of a (time, lat, lon) dataset along its chunks."""

    def __init__(self, dset):
        self.dset = dset
        self.step = dset.chunks[0]

    def __iter__(self):
        for t in range(0, self.dset.shape[0], self.step):
            yield t, self.dset[t:t + self.step]


def harmonics(nt, period=1460, n=2):
    t = 2 * np.pi * np.arange(nt) / period
    cols = [np.ones(nt)]
    for k in range(1, n + 1):
        cols += [np.cos(k * t), np.sin(k * t)]
    return np.stack(cols, axis=1)


def load_anomalies(dset, coarse=3):
    nt, ny, nx = dset.shape
    data = np.empty((nt, ny // coarse, nx // coarse), np.float32)
    for t, slab in Field(dset):
        n = slab.shape[0]
        data[t:t + n] = slab.reshape(n, ny // coarse, coarse, nx // coarse, coarse).mean(axis=(2, 4))
    flat = data.reshape(nt, -1)
    h = harmonics(nt)
    coef, *_ = np.linalg.lstsq(h, flat, rcond=None)
    return (flat - h @ coef).astype(np.float32), data.shape[1:]


def lowpass(a, width=21):
    kernel = np.hanning(width + 2)[1:-1]
    kernel /= kernel.sum()
    out = np.zeros_like(a)
    half = width // 2
    for k, w in enumerate(kernel):
        out += w * np.roll(a, k - half, axis=0)
    return out


def subspace(a, n=4, rounds=12, seed=2):
    q = np.random.default_rng(seed).normal(size=(a.shape[1], n))
    for _ in range(rounds):
        q, _ = np.linalg.qr(a.T @ (a @ q))
    pc = a @ q
    return q, pc, (pc ** 2).sum(axis=0) / (a ** 2).sum()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("input", nargs="?", default="z500.h5")
    ap.add_argument("--output", default="eof.h5")
    args = ap.parse_args()

    with h5py.File(args.input, "r") as f:
        weight = np.sqrt(np.cos(np.deg2rad(f["lat"][1::3])))
        anom, shape = load_anomalies(f["z500"])
        units = f["z500"].attrs["units"]
    anom = lowpass(anom)
    weighted = anom * np.repeat(weight, shape[1]).astype(np.float32)
    eof, pc, var = subspace(weighted)
    with h5py.File(args.output, "w") as f:
        d = f.create_dataset("anomaly", data=anom.reshape(-1, *shape), chunks=(365, *shape))
        d.attrs["units"] = units
        f["eof"] = eof.T.reshape(-1, *shape)
        f["pc"] = pc
        f["variance"] = var
    print("explained:", " ".join(f"{v:.5f}" for v in sorted(var, reverse=True)))


if __name__ == "__main__":
    main()
