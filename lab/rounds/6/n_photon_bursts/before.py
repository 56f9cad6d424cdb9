"""Single-molecule fluorescence: find photon bursts and store the arrival times of each burst."""
import sys

import h5py
import numpy as np


def photon_stream(rng, seconds):
    background = rng.uniform(0.0, seconds, int(400 * seconds))
    centres = rng.uniform(0.0, seconds, int(120 * seconds))
    bright = (centres[:, None] + rng.normal(0.0, 4e-4, (len(centres), 24))).ravel()
    return np.sort(np.concatenate([background, bright]))


def find_bursts(times, gap=2.5e-4, least=6):
    edges = np.flatnonzero(np.diff(times) > gap) + 1
    starts = np.concatenate([[0], edges])
    stops = np.concatenate([edges, [len(times)]])
    keep = stops - starts >= least
    return list(zip(starts[keep], stops[keep]))


def burst_widths(times, bursts):
    return np.array([times[b - 1] - times[a] for a, b in bursts])


def save_bursts(name, times, bursts):
    with h5py.File(name, "w") as f:
        group = f.create_group("bursts")
        for k, (a, b) in enumerate(bursts):
            group.create_dataset("burst_%06d" % k, data=times[a:b])
        f.create_dataset("widths", data=burst_widths(times, bursts))


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    rng = np.random.default_rng(1905)
    times = photon_stream(rng, seconds)
    bursts = find_bursts(times)
    save_bursts("bursts.h5", times, bursts)
    widths = burst_widths(times, bursts)
    print("%d photons, %d bursts, median width %.3f ms" % (len(times), len(bursts), 1e3 * np.median(widths)))


if __name__ == "__main__":
    main()
