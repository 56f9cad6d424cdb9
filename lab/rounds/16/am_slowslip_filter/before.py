"""Slow-slip detection on a borehole strainmeter.

A two-state Kalman filter (strain, strain rate) runs over one-second data.
Whenever the innovation exceeds a threshold, a pick is written to the pick
journal, so that the duty seismologist can look at it.
"""
import json
import os
import sys

import numpy as np

N_SAMPLES = int(sys.argv[1]) if len(sys.argv) > 1 else 60000
THRESHOLD = float(sys.argv[2]) if len(sys.argv) > 2 else 2.3
DT = 1.0                 # s
Q_RATE = 1.0e-7          # process noise of strain rate
R_OBS = 4.0e-2           # observation noise, nanostrain^2
TIDES = [(12.4206, 8.0, 0.3), (23.9345, 5.5, 1.1), (25.8193, 4.1, 2.0)]
JOURNAL = "picks.jsonl"


def synthetic_strain(n, rng):
    """Solid-earth tides, drift, two slow-slip ramps and instrument noise."""
    t = np.arange(n) * DT
    s = 1e-5 * t
    for period_h, amp, phase in TIDES:
        s += amp * np.sin(2 * np.pi * t / (period_h * 3600) + phase)
    for centre, width, size in ((0.31, 900.0, 3.0), (0.74, 2500.0, -4.5)):
        s += size / (1 + np.exp(-(t - centre * n * DT) / width))
    return t, s + rng.normal(0, np.sqrt(R_OBS), n)


class PickJournal:
    """Append-only list of picks, one JSON object per line."""

    def __init__(self, path):
        self.f = open(path, "w")
        self.count = 0

    def add(self, time, innovation, rate):
        self.f.write(json.dumps({"t": time, "z": round(innovation, 4),
                                 "rate": float("%.5g" % rate)}) + "\n")
        self.f.flush()
        os.fsync(self.f.fileno())
        self.count += 1

    def close(self):
        self.f.close()


def run_filter(t, obs, journal):
    strain, rate = obs[0], 0.0
    p00, p01, p11 = 1.0, 0.0, 1e-6
    rates = np.empty(len(obs))
    for k, z in enumerate(obs.tolist()):
        # predict
        strain += rate * DT
        p00 += DT * (2 * p01 + DT * p11) + 1e-6
        p01 += DT * p11
        p11 += Q_RATE * DT
        # update
        s = p00 + R_OBS
        innov = z - strain
        g0, g1 = p00 / s, p01 / s
        strain += g0 * innov
        rate += g1 * innov
        p11 -= g1 * p01
        p01 *= 1 - g0
        p00 *= 1 - g0
        rates[k] = rate
        score = innov / s ** 0.5
        if abs(score) > THRESHOLD:
            journal.add(float(t[k]), score, rate)
    return rates


def main():
    rng = np.random.default_rng(1911)
    t, obs = synthetic_strain(N_SAMPLES, rng)
    journal = PickJournal(JOURNAL)
    rates = run_filter(t, obs, journal)
    journal.close()
    print("samples %d  picks %d  rms rate %.3e nstrain/s"
          % (len(obs), journal.count, np.sqrt(np.mean(rates ** 2))))


if __name__ == "__main__":
    main()
