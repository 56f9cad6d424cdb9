"""End-to-end distance and radius of gyration of equilibrated polymer chains.

Every run is a file runs/melt_NN.trj: frames x beads x 3 in float32.

usage: after.py N_EQUILIBRATED
"""
import csv
import sys
from pathlib import Path

import numpy as np

N_BEADS = 3000
CHAIN_LENGTH = 100


FRAME_BYTES = N_BEADS * 3 * 4


def read_positions(path, first, count):
    flat = np.fromfile(path, dtype=np.float32, count=count * N_BEADS * 3, offset=first * FRAME_BYTES)
    return flat.reshape(-1, N_BEADS, 3).astype(np.float64)


def last_frames(path, n_frames):
    """Positions of the equilibrated end of the run."""
    total = path.stat().st_size // FRAME_BYTES
    return read_positions(path, total - n_frames, n_frames)


def first_frame(path):
    return read_positions(path, 0, 1)[0]


def middle_frame(path):
    return read_positions(path, path.stat().st_size // FRAME_BYTES // 2, 1)[0]


def split_chains(frames):
    return frames.reshape(frames.shape[0], -1, CHAIN_LENGTH, 3)


def end_to_end(chains):
    span = chains[:, :, -1] - chains[:, :, 0]
    return np.sqrt((span ** 2).sum(axis=-1))


def gyration(chains):
    centred = chains - chains.mean(axis=2, keepdims=True)
    return np.sqrt((centred ** 2).sum(axis=-1).mean(axis=-1))


def displacement(chains, start):
    return np.sqrt(((chains[-1].mean(axis=1) - start[0].mean(axis=1)) ** 2).sum(axis=-1))


def block_error(series, n_blocks=5):
    blocks = np.array_split(series, n_blocks)
    means = np.array([block.mean() for block in blocks])
    return means.std(ddof=1) / np.sqrt(n_blocks)


def analyse_run(path, n_frames):
    chains = split_chains(last_frames(path, n_frames))
    start = split_chains(first_frame(path)[None])
    middle = split_chains(middle_frame(path)[None])
    distance = end_to_end(chains)
    return {
        "run": path.stem,
        "r_ee": distance.mean(),
        "r_ee_error": block_error(distance.mean(axis=1)),
        "r_g": gyration(chains).mean(),
        "moved": displacement(chains, start).mean(),
        "moved_late": displacement(chains, middle).mean(),
    }


def main():
    n_frames = int(sys.argv[1])
    rows = [analyse_run(path, n_frames) for path in sorted(Path("runs").glob("melt_*.trj"))]
    with open("chains.csv", "w", newline="") as out:
        table = csv.DictWriter(out, fieldnames=list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    r_ee = np.array([row["r_ee"] for row in rows])
    print(f"{len(rows)} runs, <R_ee> = {r_ee.mean():.4f} +- {r_ee.std():.4f}")


if __name__ == "__main__":
    main()
