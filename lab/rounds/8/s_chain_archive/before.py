"""Affine-invariant ensemble sampler for an eclipsing-binary light curve.

The walkers' positions are kept in a ChainArchive, so that a run that is
killed by the queue can be continued and looked at while it is running.
"""
import sys
import numpy as np


class LightCurve:
    """Synthetic photometry with a box-like primary eclipse."""

    def __init__(self, npoints, seed):
        rng = np.random.default_rng(seed)
        self.phase = np.sort(rng.uniform(-0.5, 0.5, npoints))
        self.sigma = 0.004
        self.flux = self.model(np.array([0.05, 0.12, 0.01, 1.0]))
        self.flux = self.flux + rng.normal(0.0, self.sigma, npoints)

    def model(self, theta):
        depth, width, centre, base = theta[..., :4].T if theta.ndim > 1 else theta[:4]
        if theta.ndim > 1:
            depth, width = depth[:, None], width[:, None]
            centre, base = centre[:, None], base[:, None]
        x = (self.phase - centre) / (0.5 * np.abs(width) + 1e-6)
        return base - depth / (1.0 + x ** 16)

    def log_prob(self, theta):
        chi2 = ((self.flux - self.model(theta)) / self.sigma) ** 2
        lp = -0.5 * chi2.sum(axis=-1)
        bad = (theta[:, 0] < 0) | (theta[:, 1] < 0.01) | (theta[:, 1] > 0.5)
        lp[bad] = -np.inf
        return lp


class ChainArchive:
    """Chain of all walkers on disk, valid after each step."""

    def __init__(self, path, nsteps, nwalkers, ndim):
        self.path = path
        self.data = np.zeros((nsteps, nwalkers, ndim + 1))
        self.done = 0

    def append(self, pos, logp):
        self.data[self.done, :, :-1] = pos
        self.data[self.done, :, -1] = logp
        self.done += 1
        self.sync()

    def sync(self):
        np.save(self.path, self.data[: self.done])

    def close(self):
        pass


def stretch_move(rng, pos, logp, curve, a=2.0):
    """One Goodman & Weare update of both half ensembles."""
    nw, nd = pos.shape
    half = nw // 2
    accepted = 0
    for first in (True, False):
        mine = slice(0, half) if first else slice(half, nw)
        other = pos[half:] if first else pos[:half]
        n = half if first else nw - half
        z = ((a - 1.0) * rng.uniform(size=n) + 1.0) ** 2 / a
        partner = other[rng.integers(0, len(other), n)]
        trial = partner + z[:, None] * (pos[mine] - partner)
        lp = curve.log_prob(trial)
        ok = np.log(rng.uniform(size=n)) < (nd - 1) * np.log(z) + lp - logp[mine]
        pos[mine][ok] = trial[ok]
        logp[mine][ok] = lp[ok]
        accepted += int(ok.sum())
    return accepted


def autocorrelation(x, maxlag):
    x = x - x.mean()
    var = float(np.dot(x, x)) or 1.0
    return [float(np.dot(x[: len(x) - k], x[k:])) / var for k in range(maxlag)]


def run_chain(nsteps, nwalkers):
    curve = LightCurve(300, 11)
    rng = np.random.default_rng(5)
    start = np.array([0.045, 0.11, 0.008, 1.0, 0.3, 0.7])
    pos = start + 1e-3 * rng.normal(size=(nwalkers, start.size))
    logp = curve.log_prob(pos)
    archive = ChainArchive("chain.npy", nsteps, nwalkers, start.size)
    accepted = 0
    for step in range(nsteps):
        accepted += stretch_move(rng, pos, logp, curve)
        archive.append(pos, logp)
    archive.close()
    return archive, accepted / (nsteps * nwalkers)


def main():
    nsteps = int(sys.argv[1])
    nwalkers = int(sys.argv[2])
    archive, rate = run_chain(nsteps, nwalkers)
    chain = np.load("chain.npy")
    burn = nsteps // 3
    names = ["depth", "width", "centre", "base"]
    for k, name in enumerate(names):
        col = chain[burn:, :, k]
        print("%-8s %.5f +- %.5f" % (name, col.mean(), col.std()))
    rho = autocorrelation(chain[burn:, :, 0].mean(axis=1), 20)
    print("acceptance %.3f  tau %.2f" % (rate, 1 + 2 * sum(rho[1:])))


if __name__ == "__main__":
    main()
