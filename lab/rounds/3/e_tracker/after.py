"""Symplectic tracking of a particle bunch in a storage ring; turn-by-turn beam diagnostics go to HDF5."""
import sys

import h5py
import numpy as np

QX, QY = 0.31, 0.22
KEYS = ("ex", "ey", "cx", "cy", "cpx", "cpy", "xmax", "ymax")


class Ring:
    def __init__(self, npart, seed):
        rng = np.random.default_rng(seed)
        self.z = rng.normal(0.0, 1e-3, (4, npart))
        self.rot = []
        for tune in (QX, QY):
            c, s = np.cos(2 * np.pi * tune), np.sin(2 * np.pi * tune)
            self.rot.append(np.array([[c, s], [-s, c]]))

    def turn(self):
        self.z[:2] = self.rot[0] @ self.z[:2]
        self.z[2:] = self.rot[1] @ self.z[2:]
        x, y = self.z[0], self.z[2]
        self.z[1] += 12.0 * (x * x - y * y)
        self.z[3] -= 24.0 * x * y

    def moments(self):
        x, px, y, py = self.z
        ex = np.sqrt(np.mean(x * x) * np.mean(px * px) - np.mean(x * px) ** 2)
        ey = np.sqrt(np.mean(y * y) * np.mean(py * py) - np.mean(y * py) ** 2)
        return ex, ey, x.mean(), y.mean(), px.mean(), py.mean(), x.max(), y.max()


def main():
    nturns = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    ring = Ring(300, 6)
    with h5py.File("bunch.h5", "w", libver="latest") as out:
        diag = out.create_group("diagnostics")
        diag.attrs["tunes"] = (QX, QY)
        series = np.zeros((nturns, len(KEYS)))
        for turn in range(nturns):
            ring.turn()
            series[turn] = ring.moments()
        diag.create_dataset("moments", data=series)
        out.create_dataset("final", data=ring.z)
        emit = [ring.moments()[0] * 1e6, ring.moments()[1] * 1e6]
    print("turns %d  emittance %.6f %.6f um" % (nturns, emit[0], emit[1]))


if __name__ == "__main__":
    main()
