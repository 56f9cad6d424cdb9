"""Genetic drift, migration and selection in a stepping-stone chain of demes.

Allele counts of many loci are drawn binomially for each generation. A run
can be stopped by hand with a file STOP in the working folder, and it leaves a
checkpoint from time to time that replaces the one before.
"""
import os
import sys

import numpy as np

DEMES, LOCI, SIZE = 60, 800, 400
MIGRATION = 0.02
CHECK_EVERY = 20


class Checkpoint:
    """Always one complete state on disk."""

    def __init__(self, path):
        self.path = path

    def save(self, generation, freq):
        part = self.path + ".part"
        with open(part, "wb") as f:
            np.savez(f, generation=generation, freq=freq)
        os.replace(part, self.path)

    def load(self):
        if not os.path.exists(self.path):
            return None
        with np.load(self.path) as z:
            return int(z["generation"]), z["freq"]


def stop_wanted():
    return os.path.exists("STOP")


def migrate(freq):
    out = freq.copy()
    out[1:-1] += 0.5 * MIGRATION * (freq[2:] - 2 * freq[1:-1] + freq[:-2])
    out[0] += 0.5 * MIGRATION * (freq[1] - freq[0])
    out[-1] += 0.5 * MIGRATION * (freq[-2] - freq[-1])
    return out


def select(freq, s):
    """Genic selection; s differs between loci and along the chain."""
    return freq * (1 + s) / (1 + s * freq)


def generation_step(freq, s, rng):
    p = select(migrate(freq), s)
    return rng.binomial(2 * SIZE, np.clip(p, 0, 1)) / (2 * SIZE)


def fst(freq):
    mean = freq.mean(axis=0)
    within = (freq * (1 - freq)).mean(axis=0)
    total = mean * (1 - mean)
    ok = total > 1e-6
    return float(1 - within[ok].sum() / total[ok].sum())


def main():
    generations = int(sys.argv[1]) if len(sys.argv) > 1 else 240
    rng = np.random.default_rng(17)
    cline = np.linspace(-1, 1, DEMES)[:, None]
    s = 0.02 * cline * rng.normal(size=LOCI)
    keep = Checkpoint("demes.npz")
    freq = np.full((DEMES, LOCI), 0.5)
    start = 0
    saved = keep.load()
    if saved:
        start, freq = saved
    for g in range(start, generations):
        freq = generation_step(freq, s, rng)
        if (g + 1) % CHECK_EVERY == 0:
            keep.save(g + 1, freq)
            print(f"generation {g + 1:5d}  Fst {fst(freq):.5f}")
        if stop_wanted():
            keep.save(g + 1, freq)
            break
    fixed = ((freq == 0) | (freq == 1)).mean()
    print(f"{100 * fixed:.3f} % of the loci fixed")


if __name__ == "__main__":
    main()
