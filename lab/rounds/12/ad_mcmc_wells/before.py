"""Transmissivity and storage of an aquifer from a pumping test (Theis),
by Markov chain Monte Carlo. The chain can be continued after a power cut: its
state is put into a safe place from time to time."""
import json
import os
import sys
import tempfile

import numpy as np

Q = 0.015                                  # pumping rate, m3/s
WELLS = np.array([12.0, 35.0, 80.0])       # distances, m
TRUE = (8e-4, 2.5e-4)
NOISE = 0.02
EULER = 0.5772156649


def well_function(u):
    """Exponential integral E1 by series and continued fraction."""
    u = np.asarray(u, float)
    small = u < 1.0
    us = np.where(small, u, 1.0)
    term, total = np.ones_like(us), np.zeros_like(us)
    for n in range(1, 25):
        term = -term * us / n
        total -= term / n
    series = -EULER - np.log(us) + total
    ub = np.where(small, 1.0, u)
    frac = np.zeros_like(ub)
    for k in range(30, 0, -1):
        frac = k / (1 + k / (ub + frac))
    return np.where(small, series, np.exp(-np.minimum(ub, 700)) / (ub + frac))


def drawdown(log_t, log_s, times):
    T, S = np.exp(log_t), np.exp(log_s)
    u = WELLS[:, None] ** 2 * S / (4 * T * times[None, :])
    return Q / (4 * np.pi * T) * well_function(u)


class Chain:
    def __init__(self, data, times, rng, path):
        self.data, self.times, self.rng, self.path = data, times, rng, path
        self.theta = np.log([1e-3, 1e-4])
        self.logp = self.log_posterior(self.theta)
        self.scale = 0.0007
        self.samples, self.accepted = [], 0

    def log_posterior(self, theta):
        r = (self.data - drawdown(theta[0], theta[1], self.times)) / NOISE
        prior = ((theta - np.log([1e-3, 1e-4])) / 2.0) ** 2
        return -0.5 * float((r ** 2).sum() + prior.sum())

    def step(self):
        proposal = self.theta + self.scale * self.rng.normal(size=2)
        lp = self.log_posterior(proposal)
        if np.log(self.rng.random()) < lp - self.logp:
            self.theta, self.logp = proposal, lp
            self.accepted += 1
        self.samples.append(self.theta.tolist())

    def save(self):
        """Replace the saved state; the old one stays valid until the end."""
        state = {"theta": self.theta.tolist(), "n": len(self.samples),
                 "rng": str(self.rng.bit_generator.state), "tail": self.samples[-500:]}
        fd, tmp = tempfile.mkstemp(dir=".", prefix="chain_")
        with os.fdopen(fd, "w") as f:
            json.dump(state, f)
            f.flush()
            os.fsync(f.fileno())
        os.replace(tmp, self.path)


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    rng = np.random.default_rng(1935)
    times = np.geomspace(60, 86400, 200)
    data = drawdown(np.log(TRUE[0]), np.log(TRUE[1]), times)
    data = data + rng.normal(0, NOISE, data.shape)
    chain = Chain(data, times, rng, "chain.json")
    for i in range(1, steps + 1):
        chain.step()
        if i % every == 0:
            chain.save()
    kept = np.exp(np.array(chain.samples[steps // 4:]))
    np.save("chain.npy", kept)
    print("T = %.3e +- %.1e m2/s, S = %.3e +- %.1e, acceptance %.2f"
          % (kept[:, 0].mean(), kept[:, 0].std(), kept[:, 1].mean(), kept[:, 1].std(),
             chain.accepted / steps))


if __name__ == "__main__":
    main()
