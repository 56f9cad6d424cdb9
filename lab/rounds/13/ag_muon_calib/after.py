# Muon lifetime from the cosmic-ray stand in the basement.
# The constants of each run period are small python modules somewhere below
# conditions/ (written by the calibration people).  For every run: take the
# constants, correct the raw times, fit the lifetime, combine everything.
import glob
import importlib
import sys

import numpy as np

N_RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 1200
MUONS = 700
TRUE_TAU = 2.197      # us
WINDOW = 12.0         # us
N_SETS = 24

sys.path[:0] = sorted(glob.glob("conditions/period_*"))


def constants(name):
    """The calibration module of this name"""
    return importlib.import_module(name)


def raw_times(rng, c):
    # fake data: decays + flat background, seen through the uncalibrated TDC
    n_bg = rng.poisson(c.BACKGROUND * MUONS)
    t = np.concatenate([rng.exponential(TRUE_TAU, MUONS), rng.uniform(0, WINDOW, n_bg)])
    channel = rng.integers(0, len(c.GAINS), t.size)
    q = rng.gamma(4.0, 1.0, t.size) / np.asarray(c.GAINS)[channel]
    return (t + c.T0) / c.SLOPE, channel, q


def correct(t, channel, q, c):
    q = q * np.asarray(c.GAINS)[channel]
    good = q > 0.8
    t = t[good] * c.SLOPE - c.T0
    return t[(t > 0.05) & (t < WINDOW)]


def fit(t, c):
    """Likelihood fit: scan in tau, then a parabola through the best three"""
    f = 1 - c.BACKGROUND
    taus = np.linspace(1.6, 2.8, 25)
    nll = np.empty(taus.size)
    for i, tau in enumerate(taus):
        norm = np.exp(-0.05 / tau) - np.exp(-WINDOW / tau)
        nll[i] = -np.log(f * np.exp(-t / tau) / (tau * norm) + (1 - f) / WINDOW).sum()
    k = min(max(int(nll.argmin()), 1), taus.size - 2)
    a, b, _ = np.polyfit(taus[k - 1:k + 2], nll[k - 1:k + 2], 2)
    return -b / (2 * a), 1 / np.sqrt(2 * a)


rng = np.random.default_rng(77)
tau, err = [], []
for run in range(N_RUNS):
    c = constants("calib_%02d" % (run * 7 % N_SETS))
    t, channel, q = raw_times(rng, c)
    t = correct(t, channel, q, c)
    best, sigma = fit(t, c)
    tau.append(best)
    err.append(sigma)

tau, err = np.array(tau), np.array(err)
w = 1 / err**2
mean = (w * tau).sum() / w.sum()
chi2 = (w * (tau - mean) ** 2).sum()
print("runs %d  tau = %.4f +- %.4f us  chi2/ndf = %.3f" % (N_RUNS, mean, w.sum() ** -0.5, chi2 / (N_RUNS - 1)))
