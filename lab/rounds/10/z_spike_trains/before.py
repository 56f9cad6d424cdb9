"""Simulate leaky integrate-and-fire neurons and archive their spike trains."""
import argparse

import h5py
import numpy as np


class Population:
    """Neurons with a noisy input current; all advance together."""

    def __init__(self, size, seed):
        self.rng = np.random.default_rng(seed)
        self.size = size
        self.v = self.rng.uniform(0.0, 0.9, size)
        self.drive = self.rng.uniform(1.05, 1.6, size)
        self.tau = self.rng.uniform(12.0, 25.0, size)
        self.ready = np.zeros(size)

    def run(self, duration, dt):
        fired_t, fired_id, fired_v = [], [], []
        for step in range(int(duration / dt)):
            now = step * dt
            noise = self.rng.normal(0.0, 0.35, self.size)
            self.v += dt * (self.drive - self.v + noise) / self.tau
            self.v[self.ready > now] = 0.0
            hit = np.flatnonzero(self.v > 1.0)
            if hit.size:
                fired_id.append(hit)
                fired_t.append(np.full(hit.size, now))
                fired_v.append(self.v[hit].copy())
                self.v[hit] = 0.0
                self.ready[hit] = now + 3.0
        ids = np.concatenate(fired_id)
        order = np.argsort(ids, kind="stable")
        return ids[order], np.concatenate(fired_t)[order], np.concatenate(fired_v)[order]


def save(path, size, ids, times, peaks):
    edges = np.searchsorted(ids, np.arange(size + 1))
    with h5py.File(path, "w") as f:
        units = f.create_group("units")
        for n in range(size):
            part = slice(edges[n], edges[n + 1])
            unit = units.create_group(f"unit_{n:05d}")
            unit.create_dataset("times", data=times[part])
            unit.create_dataset("peaks", data=peaks[part])


def summarise(path):
    """Coefficient of variation of the inter-spike intervals of each unit."""
    cv, count, peak = [], 0, 0.0
    with h5py.File(path, "r") as f:
        for unit in f["units"].values():
            t = unit["times"][:]
            count += t.size
            peak += float(unit["peaks"][:].sum())
            if t.size > 3:
                gap = np.diff(t)
                cv.append(gap.std() / gap.mean())
    return count, peak / count, float(np.mean(cv))


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--neurons", type=int, default=2000)
    ap.add_argument("--duration", type=float, default=400.0)
    args = ap.parse_args()
    pop = Population(args.neurons, 31)
    ids, times, peaks = pop.run(args.duration, 0.5)
    save("spikes.h5", args.neurons, ids, times, peaks)
    count, peak, cv = summarise("spikes.h5")
    print(f"{count} spikes, mean peak {peak:.6f}, mean CV {cv:.6f}")


if __name__ == "__main__":
    main()
