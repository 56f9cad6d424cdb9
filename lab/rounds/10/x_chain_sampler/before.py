"""Metropolis sampler for the decay curve of a two component phosphor."""
import argparse
import os
import struct

import numpy as np


class ChainStore:
    """Append-only file of accepted chain states."""

    def __init__(self, path, nparam):
        self.record = struct.Struct("<d%dd" % nparam)
        self.out = open(path, "wb")
        self.out.write(b"CHN1" + struct.pack("<I", nparam))

    def append(self, logp, theta):
        self.out.write(self.record.pack(logp, *theta))
        self.out.flush()
        os.fsync(self.out.fileno())

    def close(self):
        self.out.flush()
        os.fsync(self.out.fileno())
        self.out.close()


def model(theta, t):
    a, tau1, b, tau2 = theta
    return a * np.exp(-t / tau1) + b * np.exp(-t / tau2)


class Posterior:
    def __init__(self, t, counts):
        self.t = t
        self.counts = counts

    def __call__(self, theta):
        if min(theta) <= 0.0:
            return -np.inf
        rate = model(theta, self.t)
        return float(np.sum(self.counts * np.log(rate) - rate))


def synthetic(n, rng):
    t = np.linspace(0.05, 12.0, n)
    return t, rng.poisson(model((900.0, 0.8, 260.0, 4.2), t)).astype(float)


def sample(posterior, start, scale, steps, thin, store, rng):
    theta = np.array(start, dtype=float)
    logp = posterior(theta)
    accepted = 0
    kept = []
    for step in range(steps):
        trial = theta + scale * rng.standard_normal(theta.size)
        trial_logp = posterior(trial)
        if np.log(rng.random()) < trial_logp - logp:
            theta, logp = trial, trial_logp
            accepted += 1
        if (step + 1) % thin == 0:
            store.append(logp, theta)
            kept.append(theta.copy())
    return np.array(kept), accepted / steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--thin", type=int, default=10)
    parser.add_argument("--points", type=int, default=1500)
    args = parser.parse_args()

    rng = np.random.default_rng(31)
    t, counts = synthetic(args.points, rng)
    store = ChainStore("chain.bin", 4)
    start = (880.0, 0.85, 280.0, 4.0)
    scale = np.array([3.0, 0.004, 2.0, 0.02])
    kept, rate = sample(Posterior(t, counts), start, scale, args.steps, args.thin, store, rng)
    store.close()

    half = kept[len(kept) // 2:]
    print("acceptance %.3f" % rate)
    for name, mean, sd in zip(("a", "tau1", "b", "tau2"), half.mean(axis=0), half.std(axis=0)):
        print("%-5s %10.4f +- %.4f" % (name, mean, sd))


if __name__ == "__main__":
    main()
