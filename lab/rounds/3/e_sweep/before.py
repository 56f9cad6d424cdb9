"""Parameter sweep of a reaction-diffusion front on two processes; results go to a common journal."""
import fcntl
import json
import multiprocessing as mp
import os
import sys

import numpy as np

JOURNAL = "journal.jsonl"
DONE_DIR = "done"


def append_journal(entry):
    with open(JOURNAL, "a") as fh:
        fcntl.lockf(fh, fcntl.LOCK_EX)
        fh.write(json.dumps(entry) + "\n")
        fh.flush()
        fcntl.lockf(fh, fcntl.LOCK_UN)


def front_speed(rate, diffusion, nsteps):
    n = 4000
    dx, dt = 0.5, 0.05
    u = np.zeros(n)
    u[:40] = 1.0
    positions = []
    for step in range(nsteps):
        lap = np.empty_like(u)
        lap[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        lap[0], lap[-1] = u[1] - u[0], u[-2] - u[-1]
        u = u + dt * (diffusion * lap / dx ** 2 + rate * u * (1 - u))
        if step % 100 == 0:
            positions.append(float(np.argmax(u < 0.5)) * dx)
    half = len(positions) // 2
    return (positions[-1] - positions[half]) / (100 * dt * max(1, len(positions) - 1 - half))


def run_case(task):
    number, rate, diffusion, nsteps = task
    marker = os.path.join(DONE_DIR, f"case_{number:03d}")
    if os.path.exists(marker):
        return None
    speed = front_speed(rate, diffusion, nsteps)
    append_journal({"case": number, "rate": rate, "diffusion": diffusion, "speed": speed})
    with open(marker, "w") as fh:
        fh.write("ok\n")
    return speed


def main():
    nsteps = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    os.makedirs(DONE_DIR, exist_ok=True)
    tasks = [(k, 0.5 + 0.1 * (k % 6), 0.5 + 0.1 * (k // 6), nsteps) for k in range(24)]
    with mp.get_context("fork").Pool(2) as pool:
        speeds = pool.map(run_case, tasks, chunksize=2)
    expected = [2 * np.sqrt(t[1] * t[2]) for t in tasks]
    ratio = np.array(speeds) / np.array(expected)
    print("cases", len(tasks), "speed ratio %.4f" % ratio.mean())


if __name__ == "__main__":
    main()
