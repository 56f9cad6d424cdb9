"""Trajectories of a polymer melt: frames x beads x 3, float32, no header."""
import os
import numpy as np

N_RUNS = 16
N_FRAMES = 1250
N_BEADS = 3000

os.makedirs("runs", exist_ok=True)
rng = np.random.default_rng(2)
template = rng.normal(0, 0.6, (50, N_BEADS, 3)).astype(np.float32).cumsum(axis=1)
for run in range(N_RUNS):
    with open(f"runs/melt_{run:02d}.trj", "wb") as out:
        for block in range(N_FRAMES // 50):
            (template * np.float32(1.0 + 0.01 * run + 0.001 * block)).tofile(out)
