# Arrival times of VHF pulses at the eight stations of a lightning mapping array.
import numpy as np

rng = np.random.default_rng(9)
STATIONS, PULSES, SECONDS = 8, 1600000, 16
angle = np.linspace(0, 2 * np.pi, STATIONS, endpoint=False)
where = np.stack([22e3 * np.cos(angle), 18e3 * np.sin(angle), rng.uniform(100, 1500, STATIONS)], axis=1)
where[::3, :2] *= 0.35
np.savetxt("stations.txt", where, fmt="%.2f")
second = np.sort(rng.uniform(0, SECONDS, PULSES))
cells = rng.uniform(-15e3, 15e3, (25, 2))
source = np.empty((PULSES, 3))
source[:, :2] = cells[rng.integers(0, 25, PULSES)] + rng.normal(0, 2e3, (PULSES, 2))
source[:, 2] = rng.choice([5200.0, 9800.0], PULSES) + rng.normal(0, 900, PULSES)
record = np.empty((PULSES, STATIONS + 1))
for s in range(STATIONS):
    span = np.linalg.norm(source - where[s], axis=1)
    record[:, s] = second + span / 299792458.0 + rng.normal(0, 4e-8, PULSES)
record[:, STATIONS] = rng.exponential(12, PULSES) - 8
record.tofile("pulses.bin")
