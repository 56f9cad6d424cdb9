"""Bat echolocation survey: one row of the data cube per recorded call.

usage: sonar.py [n_calls]

Simulates frequency-modulated calls (Myotis-like, 95 -> 35 kHz), filters them
with a matched filter and keeps the envelope of every call in calls.h5 for the
classifier.
"""
import sys
import h5py
import numpy as np

FS = 400_000.0            # sampling rate, Hz
NS = 1600                 # samples kept per call (4 ms)
BATCH = 100               # calls per recorder file


def chirp(f0, f1, dur):
    t = np.arange(NS) / FS
    phase = 2 * np.pi * (f0 * t + 0.5 * (f1 - f0) / dur * t * t)
    window = np.where(t < dur, np.sin(np.pi * np.clip(t / dur, 0, 1)) ** 2, 0)
    return window * np.cos(phase)


def record_batch(rng, n):
    f0 = rng.normal(95e3, 4e3, n)
    f1 = rng.normal(35e3, 3e3, n)
    dur = rng.uniform(1.5e-3, 3.0e-3, n)
    calls = np.array([chirp(*p) for p in zip(f0, f1, dur)])
    return calls + 0.3 * rng.standard_normal(calls.shape)


def envelope(calls, template_fft):
    spec = np.fft.fft(calls, axis=1) * np.conj(template_fft)
    spec[:, NS // 2:] = 0.0                # analytic signal
    return np.abs(2 * np.fft.ifft(spec, axis=1)).astype(np.float32)


class Archive:
    def __init__(self, path, n_calls):
        self.file = h5py.File(path, "w")
        self.env = self.file.create_dataset(
            "envelope", (n_calls, NS), dtype="f4", chunks=(BATCH, NS))
        self.env.attrs["sampling_rate"] = FS

    def store(self, first, block):
        self.env[first:first + len(block)] = block

    def close(self):
        self.file.close()


def main():
    n_calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1600
    rng = np.random.default_rng(5)
    template = np.fft.fft(chirp(95e3, 35e3, 2.2e-3))
    archive = Archive("calls.h5", n_calls)
    peaks = []
    for first in range(0, n_calls, BATCH):
        n = min(BATCH, n_calls - first)
        env = envelope(record_batch(rng, n), template)
        archive.store(first, env)
        peaks.append(env.max(axis=1))
    archive.close()
    peaks = np.concatenate(peaks)
    print(f"{n_calls} calls, peak response {peaks.mean():.2f} +- {peaks.std():.2f}")


main()
