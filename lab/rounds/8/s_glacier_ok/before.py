"""Shallow-ice glacier model with a flushed log and yearly HDF5 output."""
import json
import os
import sys
import numpy as np
import h5py


class Settings:
    """Layered settings: defaults, then one small file per topic."""

    TOPICS = ("flow", "climate", "bed", "output")

    def __init__(self):
        self.values = {"A": 2.4e-24, "n": 3, "ela": 2500.0, "gradient": 0.007,
                       "dx": 200.0, "every": 10}
        for topic in self.TOPICS:
            path = "settings_%s.json" % topic
            if os.path.exists(path):
                with open(path) as f:
                    self.values.update(json.load(f))

    def __getitem__(self, key):
        return self.values[key]


class RunLog:
    def __init__(self, path):
        self.out = open(path, "w")

    def line(self, text):
        self.out.write(text + "\n")
        self.out.flush()

    def close(self):
        self.out.close()


class Output:
    def __init__(self, path, shape):
        self.file = h5py.File(path, "w")
        self.ice = self.file.create_dataset(
            "thickness", shape=(0,) + shape, maxshape=(None,) + shape,
            chunks=(1,) + shape, dtype="f4")
        self.ice.attrs["units"] = "m"
        self.ice.attrs["title"] = "ice thickness"

    def add(self, thickness):
        k = self.ice.shape[0]
        self.ice.resize(k + 1, axis=0)
        self.ice[k] = thickness

    def close(self):
        self.file.close()


def bedrock(ny, nx):
    y, x = np.mgrid[0:ny, 0:nx]
    ridge = 3200.0 - 9.0 * np.abs(x - nx / 2) - 4.0 * y
    return ridge + 60.0 * np.sin(x / 9.0) * np.cos(y / 7.0)


def fluxes(surface, thick, cfg):
    """Diffusive flux of the shallow-ice approximation on staggered faces."""
    rg = 910.0 * 9.81
    gamma = 2.0 * cfg["A"] * rg ** 3 / 5.0 * 3.15e7
    result = []
    for axis in (0, 1):
        h = 0.5 * (np.roll(thick, -1, axis) + thick)
        ds = (np.roll(surface, -1, axis) - surface) / cfg["dx"]
        q = -gamma * h ** 5 * np.abs(ds) ** 2 * ds
        limit = 0.1 * thick.clip(0.0) * cfg["dx"] / 0.05
        result.append(np.clip(q, -np.roll(limit, -1, axis), limit))
    return result


def advance(bed, thick, cfg, dt):
    surface = bed + thick
    qy, qx = fluxes(surface, thick, cfg)
    div = (qy - np.roll(qy, 1, 0) + qx - np.roll(qx, 1, 1)) / cfg["dx"]
    balance = np.clip(cfg["gradient"] * (surface - cfg["ela"]), -8.0, 1.5)
    return np.maximum(thick + dt * (balance - div), 0.0)


def main():
    ny, nx, years = (int(v) for v in sys.argv[1:4])
    cfg = Settings()
    bed = bedrock(ny, nx)
    thick = np.zeros_like(bed)
    log, out = RunLog("run.log"), Output("glacier.h5", bed.shape)
    for year in range(years):
        for _ in range(20):
            thick = advance(bed, thick, cfg, 0.05)
        log.line("%4d volume %.6e max %.2f" % (year, thick.sum() * cfg["dx"] ** 2, thick.max()))
        if year % cfg["every"] == 0:
            out.add(thick)
    log.close()
    out.close()
    print("volume %.6e" % (thick.sum() * cfg["dx"] ** 2))


if __name__ == "__main__":
    main()
