"""Planetary system integration with a small journal of safe restart points."""
import os
import sys

import numpy as np

G = 39.478417604357434
NAMES = ["sun", "jupiter", "saturn", "uranus", "neptune"]
MASS = np.array([1.0, 9.5e-4, 2.9e-4, 4.4e-5, 5.2e-5])
RADIUS = np.array([0.0, 5.2, 9.6, 19.2, 30.1])


class Journal:
    """Restart points; each is safe on disk before the run goes on."""

    def __init__(self, path):
        self.stream = open(path, "wb")
        self.entries = 0

    def commit(self, time, pos, vel):
        self.stream.write(np.float64(time).tobytes() + pos.tobytes() + vel.tobytes())
        self.stream.flush()
        os.fsync(self.stream.fileno())
        self.entries += 1

    def close(self):
        self.stream.close()


class EnergyLog:
    """Energy error as text, a few lines per run."""

    def __init__(self, path):
        self.path = path
        with open(path, "w") as f:
            f.write("# time relative-error\n")

    def add(self, time, error):
        with open(self.path, "a") as f:
            f.write("%12.4f %.8e\n" % (time, error))


def start():
    pos = np.zeros((len(MASS), 3))
    vel = np.zeros((len(MASS), 3))
    for i in range(1, len(MASS)):
        angle = 1.3 * i
        pos[i] = RADIUS[i] * np.array([np.cos(angle), np.sin(angle), 0.01 * i])
        speed = np.sqrt(G / RADIUS[i])
        vel[i] = speed * np.array([-np.sin(angle), np.cos(angle), 0.0])
    vel -= (MASS[:, None] * vel).sum(axis=0) / MASS.sum()
    return pos, vel


def acceleration(pos):
    d = pos[None] - pos[:, None]
    r2 = (d * d).sum(axis=2)
    np.fill_diagonal(r2, 1.0)
    w = MASS[None] / (r2 * np.sqrt(r2))
    np.fill_diagonal(w, 0.0)
    return G * (w[:, :, None] * d).sum(axis=1)


def energy(pos, vel):
    e = 0.5 * (MASS * (vel * vel).sum(axis=1)).sum()
    for i in range(len(MASS)):
        for j in range(i):
            e -= G * MASS[i] * MASS[j] / np.linalg.norm(pos[i] - pos[j])
    return e


def integrate(nsteps, dt, journal, log):
    pos, vel = start()
    e0 = energy(pos, vel)
    acc = acceleration(pos)
    worst = 0.0
    every = max(1, nsteps // 4)
    for step in range(1, nsteps + 1):
        vel += 0.5 * dt * acc
        pos += dt * vel
        acc = acceleration(pos)
        vel += 0.5 * dt * acc
        if step % 1000 == 0:
            error = abs(energy(pos, vel) / e0 - 1.0)
            worst = max(worst, error)
            log.add(step * dt, error)
        if step % every == 0:
            journal.commit(step * dt, pos, vel)
    return pos, worst


def main():
    nsteps = int(sys.argv[1])
    journal = Journal("restart.jnl")
    pos, worst = integrate(nsteps, 0.02, journal, EnergyLog("energy.txt"))
    journal.close()
    print("entries %d  worst energy error %.3e" % (journal.entries, worst))
    for name, p in zip(NAMES, pos):
        print("%-8s %.8f %.8f %.8f" % (name, *p))


if __name__ == "__main__":
    main()
