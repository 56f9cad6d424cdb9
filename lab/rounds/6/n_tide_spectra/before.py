"""Tidal spectra of a grid of gauges, stored in HDF5 by gauge."""
import sys

import h5py
import numpy as np

HOURS = 8192
PERIODS = {"M2": 12.4206, "S2": 12.0, "K1": 23.9345, "O1": 25.8193,
           "N2": 12.6583, "P1": 24.0659, "K2": 11.9672, "Q1": 26.8684}


def simulate(name, gauges, rng):
    hours = np.arange(HOURS)
    with h5py.File(name, "w") as f:
        levels = f.create_dataset("levels", (gauges, HOURS), dtype="f4", chunks=(32, HOURS))
        for first in range(0, gauges, 32):
            count = min(32, gauges - first)
            block = np.zeros((count, HOURS), dtype=np.float32)
            for period in PERIODS.values():
                phase = rng.uniform(0.0, 2 * np.pi, (count, 1))
                block += np.cos(2 * np.pi * hours / period + phase)
            block += rng.normal(0.0, 0.3, block.shape)
            levels[first:first + count] = block
        levels.attrs["unit"] = "m"


def amplitude(series, period):
    hours = np.arange(series.shape[1])
    wave = np.exp(-2j * np.pi * hours / period)
    return 2.0 * np.abs(series @ wave) / series.shape[1]


def spectrum(series):
    window = np.hanning(series.shape[1])
    power = np.abs(np.fft.rfft(series * window, axis=1)) ** 2
    return power.mean(axis=0)


def analyse(name):
    rows = {key: [] for key in PERIODS}
    mean_power = np.zeros(HOURS // 2 + 1)
    with h5py.File(name, "r") as f:
        levels = f["levels"]
        for first in range(0, levels.shape[0], 32):
            block = levels[first:first + 32].astype(np.float64)
            mean_power += spectrum(block)
            for key, period in PERIODS.items():
                rows[key].append(amplitude(block, period))
    return {key: np.concatenate(value) for key, value in rows.items()}, mean_power


def main():
    gauges = int(sys.argv[1]) if len(sys.argv) > 1 else 640
    simulate("gauges.h5", gauges, np.random.default_rng(12))
    amplitudes, power = analyse("gauges.h5")
    with h5py.File("tides.h5", "w") as f:
        for key, value in amplitudes.items():
            f.create_dataset(key, data=value)
        f.create_dataset("power", data=power)
    print(", ".join("%s %.3f" % (key, value.mean()) for key, value in amplitudes.items()))


if __name__ == "__main__":
    main()
