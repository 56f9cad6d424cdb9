"""Three-component seismograms with a known P arrival, a file for each event."""
import os
import numpy as np

N_EVENTS = 120
N_SAMPLES = 2000

rng = np.random.default_rng(6)
os.makedirs("events", exist_ok=True)
for k in range(N_EVENTS):
    arrival = int(rng.integers(500, 1500))
    trace = rng.normal(0, 1.0, (3, N_SAMPLES))
    t = np.arange(N_SAMPLES - arrival)
    trace[:, arrival:] += 6.0 * np.exp(-t / 300.0) * np.sin(t / 4.0)
    np.save(f"events/ev{k:05d}_{arrival}.npy", trace.astype(np.float32))
