"""Metropolis sampling of a two-dimensional Ising lattice with safe restart files."""
import os
import sys

import numpy as np


def sweep(spins, beta, rng, mask):
    for colour in (mask, ~mask):
        field = (np.roll(spins, 1, 0) + np.roll(spins, -1, 0)
                 + np.roll(spins, 1, 1) + np.roll(spins, -1, 1))
        cost = 2.0 * spins * field
        accept = rng.random(spins.shape) < np.exp(-beta * cost)
        spins[colour & accept] *= -1
    return spins


def write_restart(path, spins, rng_state, step):
    temporary = path + ".part"
    with open(temporary, "wb") as f:
        np.save(f, spins)
        np.save(f, np.array([step, rng_state], dtype="u8"))
        f.flush()
        os.fsync(f.fileno())
    os.replace(temporary, path)


def read_restart(path):
    with open(path, "rb") as f:
        return np.load(f), int(np.load(f)[0])


def energy(spins):
    return -float((spins * (np.roll(spins, 1, 0) + np.roll(spins, 1, 1))).mean())


def main():
    nsweeps = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    side = 320
    rng = np.random.default_rng(23)
    spins = rng.choice(np.array([-1, 1], dtype="i4"), (side, side))
    checker = np.indices((side, side)).sum(axis=0) % 2 == 0
    log = open("energy.txt", "w", buffering=1)
    for step in range(nsweeps):
        sweep(spins, 0.44, rng, checker)
        log.write("%d %.8f %.8f\n" % (step, energy(spins), spins.mean()))
        if step % 100 == 99:
            write_restart("lattice.restart", spins, 23, step)
    log.close()
    write_restart("lattice.restart", spins, 23, nsweeps)
    state, step = read_restart("lattice.restart")
    print("sweeps %d  energy %.6f  magnetisation %.6f" % (step, energy(state), state.mean()))


if __name__ == "__main__":
    main()
