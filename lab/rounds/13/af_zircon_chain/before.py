"""Deposition age and lead loss of a zircon population from U-Pb ages.

Many walkers (affine-invariant ensemble sampler) explore a mixture model; the
chain grows in an HDF5 file block by block, so that a run may be continued.
"""
import sys

import h5py
import numpy as np

WALKERS = 200
NDIM = 5             # ages of two peaks, weight, log width, lead loss
BLOCK = 50           # sweeps per block in the file


def synthetic_ages(n, rng):
    young = rng.normal(94.0, 2.0, n)
    old = rng.normal(132.0, 4.5, n)
    ages = np.where(rng.random(n) < 0.6, young, old)
    lost = rng.random(n) < 0.2
    ages[lost] *= 1 - 0.06 * rng.random(lost.sum())
    return ages, np.full(n, 1.4)


def log_posterior(theta, ages, sigma):
    """theta: (walkers, NDIM)"""
    t1, t2, w, lw, loss = theta.T[:, :, None]
    width = np.exp(lw)
    s2 = sigma ** 2 + width ** 2
    mean1 = t1 * (1 - 0.1 * loss)
    mean2 = t2 * (1 - 0.1 * loss)
    like = (w * np.exp(-0.5 * (ages - mean1) ** 2 / s2)
            + (1 - w) * np.exp(-0.5 * (ages - mean2) ** 2 / (s2 * 4)) / 2) / np.sqrt(s2)
    lp = np.log(like + 1e-300).sum(axis=1)
    ok = ((theta[:, 0] > 60) & (theta[:, 0] < theta[:, 1]) & (theta[:, 1] < 200)
          & (theta[:, 2] > 0) & (theta[:, 2] < 1) & (np.abs(theta[:, 3]) < 4)
          & (theta[:, 4] >= 0) & (theta[:, 4] < 1))
    return np.where(ok, lp, -np.inf)


def stretch(theta, lp, rng, data, a=2.0):
    """One sweep over both halves of the ensemble."""
    half = WALKERS // 2
    for first in (slice(0, half), slice(half, None)):
        other = theta[half:] if first.start == 0 else theta[:half]
        z = ((a - 1) * rng.random(half) + 1) ** 2 / a
        partner = other[rng.integers(half, size=half)]
        trial = partner + z[:, None] * (theta[first] - partner)
        new = log_posterior(trial, *data)
        accept = np.log(rng.random(half)) < (NDIM - 1) * np.log(z) + new - lp[first]
        theta[first][accept] = trial[accept]
        lp[first][accept] = new[accept]
    return theta, lp


class ChainFile:
    def __init__(self, path):
        self.file = h5py.File(path, "w")
        self.chain = self.file.create_dataset("chain", (0, WALKERS, NDIM), maxshape=(None, WALKERS, NDIM),
                                              chunks=(BLOCK, WALKERS, NDIM), dtype="f8")
        self.chain.attrs["parameters"] = "t1,t2,weight,log_width,loss"
        self.chain.attrs["sweeps"] = 0

    def append(self, block):
        n = self.chain.shape[0]
        self.chain.resize(n + len(block), axis=0)
        self.chain[n:] = block
        self.chain.attrs["sweeps"] = n + len(block)
        self.file.flush()

    def close(self):
        self.file.close()


def main():
    blocks, grains = int(sys.argv[1]), int(sys.argv[2])
    rng = np.random.default_rng(17)
    data = synthetic_ages(grains, rng)
    theta = np.array([95.0, 130.0, 0.5, 0.5, 0.1]) + rng.normal(0, 0.02, (WALKERS, NDIM))
    lp = log_posterior(theta, *data)
    out = ChainFile("zircon.h5")
    for _ in range(blocks):
        block = np.empty((BLOCK, WALKERS, NDIM))
        for k in range(BLOCK):
            theta, lp = stretch(theta, lp, rng, data)
            block[k] = theta
        out.append(block)
    out.close()
    mean, sd = theta.mean(axis=0), theta.std(axis=0)
    print(f"young peak {mean[0]:.2f} +- {sd[0]:.2f} Ma, old peak {mean[1]:.2f} +- {sd[1]:.2f} Ma")


if __name__ == "__main__":
    main()
