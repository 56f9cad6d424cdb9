#!/usr/bin/env python
"""Calibrate the runs of a test beam with constants from the conditions client.

The runs are worked on by a pool of threads; constants of a run are asked from
the client program (getcond.sh) once and then kept, as several detector halves
of the same run need them.
"""
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

RUNS = range(1, 65)
HALVES = ("left", "right")
THREADS = 8


class Conditions:
    """Pedestal and gain by run, shared by all threads."""

    def __init__(self, client):
        self.client = client
        self.known = {}
        self.lock = threading.Lock()
        self.run_locks = {}
        self.asked = 0

    def ask(self, run):
        out = subprocess.run(["sh", self.client, str(run)], check=True,
                             capture_output=True, text=True).stdout
        number, pedestal, gain = out.split()
        if int(number) != run:
            raise ValueError(f"client answered run {number} for {run}")
        return float(pedestal), float(gain)

    def get(self, run):
        with self.lock:
            own = self.run_locks.setdefault(run, threading.Lock())
        with own:                 # only threads that need the same run wait
            if run not in self.known:
                constants = self.ask(run)
                with self.lock:
                    self.known[run] = constants
                    self.asked += 1
            return self.known[run]


def raw_counts(run, half):
    """Digitised pulse heights of one half of the detector."""
    rng = np.random.default_rng([run, HALVES.index(half)])
    return rng.gamma(3.0, 40.0, 4000)


def calibrate(job):
    run, half, conditions = job
    pedestal, gain = conditions.get(run)
    energy = (raw_counts(run, half) - pedestal) * gain
    energy = energy[energy > 10]
    return run, half, len(energy), float(energy.mean()), float(np.median(energy))


def main():
    conditions = Conditions("getcond.sh")
    jobs = [(run, half, conditions) for half in HALVES for run in RUNS]
    with ThreadPoolExecutor(THREADS) as pool:
        rows = list(pool.map(calibrate, jobs))

    hits = sum(r[2] for r in rows)
    mean = np.array([r[3] for r in rows])
    print("runs", len(RUNS), "requests", conditions.asked)
    print("hits", hits)
    print(f"mean energy {mean.mean():.6f} spread {mean.std():.6f}")
    for half in HALVES:
        med = [r[4] for r in rows if r[1] == half]
        print(f"{half:5s} median {np.mean(med):.6f}")


if __name__ == "__main__":
    main()
