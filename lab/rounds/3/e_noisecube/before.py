"""Simulate interferometer visibility cubes with thermal noise and archive them with their statistics."""
import sys

import h5py
import numpy as np

NBASE, NCHAN, NTIME = 66, 96, 40


def sky_model(nchan):
    freq = np.linspace(1.3, 1.5, nchan)
    return 2.5 * (freq / 1.4) ** -0.7


def observe(rng, scan, model):
    phase = rng.uniform(-0.1, 0.1, (NTIME, NBASE, 1))
    signal = model[None, None, :] * np.cos(phase + 0.02 * scan)
    noise = rng.standard_normal((NTIME, NBASE, model.size), dtype=np.float32)
    return (signal + 0.8 * noise).astype(np.float32)


class Archive:
    def __init__(self, path):
        self.file = h5py.File(path, "w")
        self.file.attrs["telescope"] = "array-12"

    def store(self, scan, cube, weights):
        self.file.create_dataset(f"scan{scan:03d}", data=cube, chunks=(10, NBASE, NCHAN),
                                 shuffle=False, compression="gzip", compression_opts=9)
        self.file[f"scan{scan:03d}"].attrs["weight"] = weights

    def close(self):
        self.file.close()


def scan_weight(cube):
    rms = cube.std(axis=0)
    return float(np.mean(1.0 / (rms * rms + 1e-6)))


def main():
    nscans = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rng = np.random.default_rng(2024)
    model = sky_model(NCHAN)
    archive = Archive("visibilities.h5")
    total, wsum = np.zeros(NCHAN), 0.0
    for scan in range(nscans):
        cube = observe(rng, scan, model)
        w = scan_weight(cube)
        archive.store(scan, cube, w)
        total += w * cube.mean(axis=(0, 1))
        wsum += w
    archive.close()
    spectrum = total / wsum
    slope = np.polyfit(np.linspace(1.3, 1.5, NCHAN), spectrum, 1)[0]
    print("scans", nscans, "mean %.4f slope %.4f" % (spectrum.mean(), slope))


if __name__ == "__main__":
    main()
