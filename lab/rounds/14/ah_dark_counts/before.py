#!/usr/bin/env python3
# Dark counts of a silicon photomultiplier array.
# Each run digitises the noise waveform of every channel; the raw waveforms are
# archived and the dark count rate and the crosstalk probability are estimated.

from dataclasses import dataclass
import gzip
import numpy as np


@dataclass
class Setup:
    channels: int = 24
    samples: int = 65536          # per channel and run
    runs: int = 14
    tick: float = 4e-9            # s
    pedestal: float = 3500.0
    noise: float = 1200.0         # ADC counts
    pulse: float = 3400.0         # one photoelectron
    rate: float = 9e5             # dark counts per second
    crosstalk: float = 0.12
    seed: int = 314


def waveforms(cfg, rng):
    shape = (cfg.channels, cfg.samples)
    w = rng.standard_normal(shape, dtype=np.float32)
    w *= cfg.noise
    w += cfg.pedestal
    n = rng.poisson(cfg.rate * cfg.tick * cfg.samples, cfg.channels)
    tail = np.exp(-np.arange(12) / 4.0)
    for ch, hits in enumerate(n):
        at = rng.integers(0, cfg.samples - 12, hits)
        height = cfg.pulse * rng.geometric(1 - cfg.crosstalk, hits)
        for t, h in zip(at, height):
            w[ch, t:t + 12] += h * tail
    return np.clip(w, 0, 16383).astype("<u2")


def threshold_scan(raw, cfg):
    """Rising edges above 0.5, 1.5 and 2.5 photoelectrons."""
    counts = []
    for pe in (0.5, 1.5, 2.5):
        above = raw > cfg.pedestal + 1.2 * cfg.noise + pe * cfg.pulse
        counts.append(int(np.count_nonzero(above[:, 1:] & ~above[:, :-1])))
    return counts


def archive(run, raw):
    with gzip.open(f"dark_{run:03d}.raw.gz", "wb", compresslevel=9) as out:
        out.write(raw.tobytes())


def main(cfg=Setup()):
    rng = np.random.default_rng(cfg.seed)
    total = np.zeros(3)
    for run in range(cfg.runs):
        raw = waveforms(cfg, rng)
        archive(run, raw)
        total += threshold_scan(raw, cfg)
    live = cfg.runs * cfg.channels * cfg.samples * cfg.tick
    print(f"live time        {live * 1e3:9.3f} ms x channel")
    print(f"dark count rate  {total[0] / live / 1e3:9.2f} kHz")
    print(f"crosstalk        {total[1] / total[0]:9.4f}")
    print(f"double crosstalk {total[2] / total[1]:9.4f}")


main()
