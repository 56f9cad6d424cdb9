"""Fold a radio time series at trial periods and keep each candidate profile
as a dataset of its own, with its figures of merit as attributes."""
import sys
import h5py
import numpy as np


def synthetic_series(samples, dt, period, rng):
    t = np.arange(samples) * dt
    phase = (t / period) % 1.0
    pulse = np.exp(-0.5 * ((phase - 0.4) / 0.02) ** 2)
    return t, pulse * 0.4 + rng.normal(0.0, 1.0, samples)


def fold(t, series, period, bins):
    index = ((t / period % 1.0) * bins).astype(np.int64)
    total = np.bincount(index, weights=series, minlength=bins)
    hits = np.bincount(index, minlength=bins)
    return total / np.maximum(hits, 1), hits


def figures(profile, hits, noise):
    chi2 = float((hits * (profile - profile.mean()) ** 2).sum() / noise ** 2)
    return {"chi2": chi2, "dof": len(profile) - 1, "peak_bin": int(profile.argmax())}


def search(t, series, periods, bins, out):
    noise = series.std()
    best = (0.0, None)
    for k, period in enumerate(periods):
        profile, hits = fold(t, series, period, bins)
        merit = figures(profile, hits, noise)
        data = out.create_dataset("candidate_%03d" % k, data=profile.astype("f4"))
        data.attrs["period"] = period
        data.attrs["chi2"] = merit["chi2"]
        if merit["chi2"] > best[0]:
            best = (merit["chi2"], period)
        if k % 16 == 15:
            out.flush()
    return best


def main():
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 2500000
    rng = np.random.default_rng(1967)
    t, series = synthetic_series(samples, 1e-4, 0.0337, rng)
    periods = 0.0337 + (np.arange(trials) - trials // 2) * 2e-6
    with h5py.File("candidates.h5", "w") as out:
        chi2, period = search(t, series, periods, 64, out)
        out.attrs["best_period"] = period
    print("best period %.7f chi2 %.1f" % (period, chi2))


if __name__ == "__main__":
    main()
