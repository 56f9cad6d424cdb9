"""Flow cytometry: sort the events of a run into a two-colour count table.

The table (forward scatter x CD4 fluorescence) is a file shared by the
instruments of the lab; every instrument adds its own events to it.
"""
import fcntl
import mmap
import os
import sys

import numpy as np

BINS = 128
TABLE = "counts.tab"
POPULATIONS = [           # fraction, mean scatter, mean log CD4, widths
    (0.55, 0.42, 1.2, 0.07, 0.30),
    (0.30, 0.48, 3.1, 0.06, 0.25),
    (0.15, 0.75, 2.0, 0.10, 0.50),
]


def acquire(n, seed):
    """Simulated events of one tube."""
    rng = np.random.default_rng(seed)
    which = rng.choice(len(POPULATIONS), size=n, p=[p[0] for p in POPULATIONS])
    p = np.array(POPULATIONS)[which]
    scatter = rng.normal(p[:, 1], p[:, 3])
    cd4 = rng.normal(p[:, 2], p[:, 4])
    return scatter, cd4


def compensate(scatter, cd4):
    """Spill-over of the scatter channel into the fluorescence channel."""
    return scatter, cd4 - 0.08 * (scatter - 0.5)


class CountTable:
    """BINS x BINS counters of 4 bytes in a shared file."""

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if os.fstat(self.fd).st_size == 0:
            os.ftruncate(self.fd, BINS * BINS * 4)
        self.map = mmap.mmap(self.fd, BINS * BINS * 4)
        self.counts = memoryview(self.map).cast("I")

    def add(self, row, col):
        cell = row * BINS + col
        fcntl.lockf(self.fd, fcntl.LOCK_EX, 4, cell * 4)
        self.counts[cell] += 1
        fcntl.lockf(self.fd, fcntl.LOCK_UN, 4, cell * 4)

    def as_array(self):
        return np.array(self.counts).reshape(BINS, BINS)

    def close(self):
        self.counts.release()
        self.map.close()
        os.close(self.fd)


def count_tube(table, scatter, cd4):
    """Adds the events of one tube; returns the number off scale."""
    rows = np.floor(scatter * BINS).astype(int)
    cols = np.floor(cd4 / 5.0 * BINS).astype(int)
    inside = (rows >= 0) & (rows < BINS) & (cols >= 0) & (cols < BINS)
    for r, c in zip(rows[inside].tolist(), cols[inside].tolist()):
        table.add(r, c)
    return int((~inside).sum())


def gate(counts):
    """Share of CD4 positive cells among the lymphocytes."""
    lymph = counts[int(0.3 * BINS):int(0.62 * BINS)]
    positive = lymph[:, int(2.2 / 5.0 * BINS):].sum()
    return positive / lymph.sum()


def main():
    tubes = int(sys.argv[1])
    events = int(sys.argv[2])
    table = CountTable(TABLE)
    lost = 0
    for tube in range(tubes):
        scatter, cd4 = compensate(*acquire(events, seed=100 + tube))
        lost += count_tube(table, scatter, cd4)
    counts = table.as_array()
    print(f"{counts.sum()} events, {lost} off scale, CD4+ {100 * gate(counts):.2f} %")
    table.close()


if __name__ == "__main__":
    main()
