#!/usr/bin/env python3
"""Unmix the spectrum of a lichen crust into endmembers of a reference library.

A threshold-accepting walk exchanges one of three endmembers at a time; the
library is a flat file of reflectances, 512 bands per spectrum.
"""
import sys
import numpy as np

LIBRARY = "reflectance.lib"
BANDS = 512
RECORD = 4 * BANDS
WEIGHTS = (0.55, 0.30, 0.15)        # cover fractions of the three species


class ReferenceLibrary:
    def __init__(self, path):
        self.table = np.fromfile(path, dtype="<f4").reshape(-1, BANDS)
        self.count = len(self.table)

    def spectrum(self, number):
        return self.table[number]


def crust(lib, rng):
    """Synthetic measurement: three species plus sensor noise."""
    mix = np.zeros(BANDS, dtype="f4")
    for w in WEIGHTS:
        mix += w * lib.spectrum(int(rng.integers(lib.count)))
    return mix + rng.normal(0.0, 0.004, BANDS).astype("f4")


def residual(measured, parts, slot):
    """What the two other species leave over for this one."""
    rest = measured.copy()
    for k in range(3):
        if k != slot:
            rest -= WEIGHTS[k] * parts[k]
    return rest


def unmix(lib, measured, steps, rng, run=8):
    which = [int(i) for i in rng.integers(lib.count, size=3)]
    parts = [lib.spectrum(i) for i in which]
    cost = np.inf
    best = (cost, tuple(which))
    threshold = 0.05
    slots = rng.integers(3, size=steps // run).tolist()
    trials = rng.integers(lib.count, size=(steps // run, run)).tolist()
    for slot, row in zip(slots, trials):
        rest = residual(measured, parts, slot)
        r2, w = float(rest @ rest), WEIGHTS[slot]
        for trial in row:
            part = lib.spectrum(trial)
            new = r2 - 2 * w * float(rest @ part) + w * w * float(part @ part)
            if new < cost * (1.0 + threshold):
                cost = new
                which[slot] = trial
                parts[slot] = part
                if cost < best[0]:
                    best = (cost, tuple(which))
        threshold *= 0.999
    return best


def main():
    crusts = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 30000
    rng = np.random.default_rng(42)
    lib = ReferenceLibrary(LIBRARY)
    for sample in range(crusts):
        measured = crust(lib, rng)
        cost, members = unmix(lib, measured, steps, rng)
        rms = (cost / BANDS) ** 0.5
        print(f"crust {sample}: rms {rms:8.5f}  endmembers {members}")


if __name__ == "__main__":
    main()
