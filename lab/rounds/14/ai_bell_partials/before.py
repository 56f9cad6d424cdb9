"""
Partials of carillon bells.

For a bell foundry we simulate strikes with slightly different clappers and
ask how reliably the five low partials (hum, prime, tierce, quint, nominal)
can be told from a short window.  The analyser takes a mono float32 sound
file, as the one in the measuring van does.
"""
import argparse
import os
import tempfile

import numpy as np

FS = 11025
WINDOW = 2048
RATIOS = np.array([0.5, 1.0, 1.2, 1.5, 2.0])
DECAY = np.array([0.9, 2.6, 3.5, 4.1, 3.0])        # 1/s
LEVEL = np.array([0.6, 1.0, 0.8, 0.3, 1.0])
T = np.arange(WINDOW) / FS
TAPER = np.hanning(WINDOW).astype("f4")
DAMP = np.exp(-np.outer(DECAY, T)) * LEVEL[:, None]
FREQ = np.fft.rfftfreq(2 * WINDOW, 1 / FS)


class Bell:
    def __init__(self, prime, rng):
        self.partials = prime * RATIOS * 2 ** (rng.normal(0, 8, 5) / 1200)

    def strike(self, hardness, rng):
        weight = np.exp(-((RATIOS - 1) ** 2) / hardness)
        phase = rng.uniform(0, 2 * np.pi, 5)
        wave = np.sin(2 * np.pi * np.outer(self.partials, T) + phase[:, None])
        y = (weight[:, None] * DAMP * wave).sum(axis=0)
        return (y + rng.normal(0, 0.01, WINDOW)).astype("f4")


def analyse(sound, prime):
    """Partial frequencies of a sound file by parabolic interpolation."""
    y = np.fromfile(sound, dtype="f4")
    spec = np.abs(np.fft.rfft(y * TAPER, 2 * WINDOW))
    found = np.empty(5)
    for k, r in enumerate(RATIOS):
        lo, hi = np.searchsorted(FREQ, [prime * r * 0.94, prime * r * 1.06])
        i = lo + int(np.argmax(spec[lo:hi]))
        a, b, c = np.log(spec[i - 1:i + 2] + 1e-12)
        found[k] = FREQ[i] + 0.5 * (a - c) / (a - 2 * b + c) * FREQ[1]
    return found


def measure(y, prime):
    with tempfile.NamedTemporaryFile(dir=".", prefix="strike_", suffix=".f32") as f:
        f.write(y.tobytes())
        f.flush()
        return analyse(f.name, prime)


def cents(a, b):
    return 1200 * np.log2(a / b)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--bells", type=int, default=47)
    ap.add_argument("--strikes", type=int, default=130)
    arg = ap.parse_args()
    rng = np.random.default_rng(1733)
    with open("partials.txt", "w") as out:
        for n in range(arg.bells):
            prime = 220 * 2 ** (n / 24)
            bell = Bell(prime, rng)
            err = np.array([cents(measure(bell.strike(rng.uniform(0.5, 3), rng), prime), bell.partials)
                            for _ in range(arg.strikes)])
            med = np.median(err, axis=0)
            mad = np.median(np.abs(err - med), axis=0)
            out.write(f"{n:3d} {prime:9.3f} " + " ".join(f"{m:7.2f}({d:5.2f})" for m, d in zip(med, mad)) + "\n")
    print("worst median deviation in the top bell:", np.abs(med).max().round(2), "cents")


if __name__ == "__main__":
    main()
