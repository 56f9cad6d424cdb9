"""Glacier borehole chain: temperature, tilt and pressure of all sensors are
logged to one HDF5 file while the ice column is advanced in time."""
import sys
import h5py
import numpy as np


class BoreholeLog:
    CHANNELS = ("temperature", "tilt_x", "tilt_y", "pressure", "conductivity", "voltage")

    def __init__(self, path, sensors):
        self.file = h5py.File(path, "w")
        self.sets = {}
        for name in self.CHANNELS:
            self.sets[name] = self.file.create_dataset(
                name, shape=(0, sensors), maxshape=(None, sensors),
                chunks=(2048, sensors), dtype="f8")
        self.used = 0

    def append(self, record):
        n = len(record["temperature"])
        for name, data in self.sets.items():
            data.resize(self.used + n, axis=0)
            data[self.used:self.used + n] = record[name]
        self.used += n

    def close(self):
        self.file.attrs["rows"] = self.used
        self.file.close()


class IceColumn:
    def __init__(self, sensors, seed=3):
        self.rng = np.random.default_rng(seed)
        self.temp = np.linspace(-12.0, -0.5, sensors)
        self.tilt = np.zeros((2, sensors))
        self.depth = np.linspace(0.0, 180.0, sensors)

    def advance(self, surface):
        lap = np.zeros_like(self.temp)
        lap[1:-1] = self.temp[2:] - 2.0 * self.temp[1:-1] + self.temp[:-2]
        self.temp += 0.2 * lap
        self.temp[0] = surface
        self.tilt += 1e-4 * self.depth / 180.0
        return self.temp

    def sample(self, rows):
        n = self.temp.size
        noise = self.rng.normal(0.0, 0.01, (rows, n))
        return {
            "temperature": self.temp + noise,
            "tilt_x": self.tilt[0] + noise * 0.1,
            "tilt_y": self.tilt[1] - noise * 0.1,
            "pressure": 9.0 * self.depth + noise,
            "conductivity": np.exp(0.05 * self.temp) + noise,
            "voltage": 3.6 - 1e-3 * noise,
        }


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    sensors = 128
    column = IceColumn(sensors)
    log = BoreholeLog("borehole.h5", sensors)
    for step in range(steps):
        column.advance(-15.0 + 8.0 * np.sin(2 * np.pi * step / 365.0))
        log.append(column.sample(2))
    log.close()
    print("rows", log.used, "base temperature %.4f" % column.temp[-1])


if __name__ == "__main__":
    main()
