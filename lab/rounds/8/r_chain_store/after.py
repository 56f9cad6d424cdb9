"""Affine-invariant ensemble sampler for the posterior of a two-planet model.

The chain is kept so that an interrupted run can be taken up again.
"""
import sys

import numpy as np

NDIM = 6
NWALK = 48


class ChainStore:
    """Samples of all walkers, kept in memory and on disk."""

    def __init__(self, path):
        self.path = path
        self.samples = np.empty((0, NWALK, NDIM))
        self.logp = np.empty((0, NWALK))
        self.stream = open(path, "wb")
        self.done = 0

    def append(self, positions, logp):
        self.samples = np.concatenate([self.samples, positions[None]])
        self.logp = np.concatenate([self.logp, logp[None]])

    def save(self):
        for k in range(self.done, len(self.samples)):
            self.stream.write(self.samples[k].tobytes())
            self.stream.write(self.logp[k].tobytes())
        self.stream.flush()
        self.done = len(self.samples)

    def close(self):
        self.stream.close()

    def __len__(self):
        return len(self.samples)


def make_data(rng, n=120):
    t = np.sort(rng.uniform(0, 100, n))
    truth = np.array([12.0, 7.3, 0.4, 5.0, 23.1, 1.2])
    y = radial_velocity(truth[None], t)[0] + rng.normal(0, 1.0, n)
    return t, y


def radial_velocity(p, t):
    """Circular orbits of two planets for many parameter sets at once."""
    a1, per1, ph1, a2, per2, ph2 = (p[:, i, None] for i in range(NDIM))
    return (a1 * np.sin(2 * np.pi * t / per1 + ph1)
            + a2 * np.sin(2 * np.pi * t / per2 + ph2))


def log_posterior(p, t, y):
    bad = (p[:, 1] < 1) | (p[:, 1] > 50) | (p[:, 4] < 1) | (p[:, 4] > 60)
    safe = np.where(bad[:, None], 10.0, p)
    r = y - radial_velocity(safe, t)
    return np.where(bad, -1e30, -0.5 * np.sum(r * r, axis=1))


def stretch_half(rng, moving, fixed, logp, t, y):
    n = len(moving)
    z = ((rng.random(n) + 1.0) ** 2) / 2.0
    partner = fixed[rng.integers(0, len(fixed), n)]
    trial = partner + z[:, None] * (moving - partner)
    lp = log_posterior(trial, t, y)
    accept = np.log(rng.random(n)) < (NDIM - 1) * np.log(z) + lp - logp
    moving[accept] = trial[accept]
    logp[accept] = lp[accept]
    return int(accept.sum())


def sample(store, nsteps, rng, t, y):
    centre = np.array([12.0, 7.3, 0.4, 5.0, 23.1, 1.2])
    pos = centre + 1e-2 * rng.standard_normal((NWALK, NDIM))
    logp = log_posterior(pos, t, y)
    half = NWALK // 2
    accepted = 0
    for step in range(nsteps):
        accepted += stretch_half(rng, pos[:half], pos[half:], logp[:half], t, y)
        accepted += stretch_half(rng, pos[half:], pos[:half], logp[half:], t, y)
        store.append(pos, logp)
        store.save()
    return accepted / (nsteps * NWALK)


def autocorrelation_time(chain):
    x = chain - chain.mean()
    f = np.fft.rfft(x, 2 * len(x))
    acf = np.fft.irfft(f * np.conj(f))[: len(x)]
    acf /= acf[0]
    return 1.0 + 2.0 * np.sum(acf[1: np.argmax(acf < 0.05) or len(acf)])


def main():
    nsteps = int(sys.argv[1])
    rng = np.random.default_rng(2024)
    t, y = make_data(rng)
    store = ChainStore("chain.npy")
    rate = sample(store, nsteps, rng, t, y)
    store.close()
    tau = autocorrelation_time(store.samples[:, :, 1].mean(axis=1))
    best = store.samples.reshape(-1, NDIM)[np.argmax(store.logp)]
    print("steps %d  acceptance %.4f  tau %.3f" % (len(store), rate, tau))
    print("best", " ".join("%.5f" % v for v in best))


if __name__ == "__main__":
    main()
