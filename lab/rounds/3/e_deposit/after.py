"""Monte Carlo photon transport in a slab; several workers tally absorbed photons on one shared grid."""
import fcntl
import mmap
import multiprocessing as mp
import os
import sys

import numpy as np

NX, NZ = 40, 25
CELL = 8
GRID_FILE = "tally.grid"


class SharedTally:
    def __init__(self, path):
        self.fd = os.open(path, os.O_RDWR)
        self.map = mmap.mmap(self.fd, NX * NZ * CELL)
        self.counts = np.frombuffer(self.map, dtype=np.int64)

    def merge(self, local):
        fcntl.lockf(self.fd, fcntl.LOCK_EX)
        self.counts += local
        fcntl.lockf(self.fd, fcntl.LOCK_UN)


def photon_paths(rng, n):
    """Depth and lateral position of absorption, and the packet weight."""
    mu = rng.uniform(0.2, 1.0, n)
    depth = rng.exponential(4.0, n) * mu
    lateral = rng.normal(0.0, 4.0, n) * np.sqrt(1 - mu * mu) + NX / 2
    weight = rng.integers(1, 9, n)
    ix = np.clip(lateral.astype(int), 0, NX - 1)
    iz = np.clip(depth.astype(int), 0, NZ - 1)
    return ix, iz, weight


def worker(seed, nphotons, batch):
    tally = SharedTally(GRID_FILE)
    rng = np.random.default_rng(seed)
    local = np.zeros(NX * NZ, dtype=np.int64)
    for _ in range(nphotons // batch):
        ix, iz, weight = photon_paths(rng, batch)
        local += np.bincount(ix * NZ + iz, weights=weight, minlength=NX * NZ).astype(np.int64)
    tally.merge(local)


def main():
    nphotons = int(sys.argv[1]) if len(sys.argv) > 1 else 60000
    nworkers = 2
    with open(GRID_FILE, "wb") as fh:
        fh.write(bytes(NX * NZ * CELL))
    procs = [mp.Process(target=worker, args=(100 + r, nphotons // nworkers, 2000))
             for r in range(nworkers)]
    for p in procs:
        p.start()
    for p in procs:
        p.join()
    grid = np.fromfile(GRID_FILE, dtype=np.int64).reshape(NX, NZ)
    profile = grid.sum(axis=0)
    np.savetxt("depth_profile.txt", profile, fmt="%d")
    print("absorbed", grid.sum(), "surface share %.4f" % (profile[0] / profile.sum()))


if __name__ == "__main__":
    mp.set_start_method("fork")
    main()
