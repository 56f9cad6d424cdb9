"""Spike sorting results: writes the units of a probe and reads them for a report.

usage: before.py UNITS
"""
import sys

import h5py
import numpy as np

SESSION = "session.h5"
DURATION = 600.0
N_SAMPLES = 32


def make_unit(rng, unit):
    rate = rng.gamma(2.0, 3.0) + 0.2
    spikes = np.sort(rng.uniform(0, DURATION, rng.poisson(rate * 60)))
    t = np.arange(N_SAMPLES) - 10
    waveform = -rng.uniform(30, 200) * np.exp(-(t / rng.uniform(1.5, 3.0)) ** 2)
    waveform += rng.uniform(5, 60) * np.exp(-((t - 8) / 4.0) ** 2)
    return spikes, waveform


def quality(spikes, waveform, rng):
    """Quality measures of a unit."""
    isi = np.diff(spikes)
    trough, peak = waveform.argmin(), waveform.argmax()
    measures = {
        "n_spikes": float(spikes.size),
        "firing_rate": spikes.size / DURATION,
        "isi_violations": float((isi < 0.0015).mean()),
        "isi_mean": float(isi.mean()),
        "isi_cv": float(isi.std() / isi.mean()),
        "amplitude": float(waveform[peak] - waveform[trough]),
        "trough": float(waveform[trough]),
        "peak": float(waveform[peak]),
        "width": float(abs(peak - trough)) / 30.0,
        "presence": float((np.histogram(spikes, 50, (0, DURATION))[0] > 0).mean()),
        "noise": float(rng.uniform(5, 12)),
        "depth": float(rng.uniform(0, 3840)),
        "x": float(rng.choice([11, 27, 43, 59])),
        "channel": float(rng.integers(0, 384)),
        "drift": float(rng.normal(0, 8)),
        "contamination": float(rng.beta(1, 20)),
    }
    measures["snr"] = measures["amplitude"] / measures["noise"]
    return measures


def store_unit(units, name, measures):
    entry = units.create_group(name)
    for key, value in measures.items():
        entry.attrs[key] = value


def write_session(n_units):
    rng = np.random.default_rng(31)
    trains = []
    with h5py.File(SESSION, "w") as store:
        units = store.create_group("units")
        for unit in range(n_units):
            spikes, waveform = make_unit(rng, unit)
            store_unit(units, f"unit_{unit:04d}", quality(spikes, waveform, rng))
            trains.append(spikes)
        store["spike_times"] = np.concatenate(trains)
        store["spike_index"] = np.cumsum([0] + [train.size for train in trains])


def read_measures():
    with h5py.File(SESSION, "r") as store:
        units = store["units"]
        return {name: {key: float(entry.attrs[key]) for key in entry.attrs}
                for name, entry in units.items()}


def good_units(measures):
    return [name for name, m in measures.items()
            if m["isi_violations"] < 0.01 and m["presence"] > 0.6 and m["snr"] > 6]


def main():
    write_session(int(sys.argv[1]))
    measures = read_measures()
    chosen = good_units(measures)
    rates = np.array([measures[name]["firing_rate"] for name in chosen])
    with open("good_units.txt", "w") as out:
        out.writelines(name + "\n" for name in chosen)
    print(f"{len(chosen)} of {len(measures)} units, median rate {np.median(rates):.4f} Hz")


if __name__ == "__main__":
    main()
