"""Filtered back-projection of a stack of tomograms.
The slices come one after the other from the detector; the volume is one raw
file, written a block of slices at a time."""
import os
import sys

import numpy as np

NDET, NANG = 384, 90
BLOCK = 2               # slices which are written in one go


def phantom_sinogram(rng, angles, nell=6):
    """Exact projections of random ellipses (parallel beam)."""
    s = np.linspace(-1, 1, NDET)
    sino = np.zeros((len(angles), NDET))
    for _ in range(nell):
        x, y = rng.uniform(-0.5, 0.5, 2)
        a, b = rng.uniform(0.05, 0.3, 2)
        phi, rho = rng.uniform(0, np.pi), rng.uniform(0.2, 1.0)
        w = np.sqrt((a * np.cos(angles - phi)) ** 2 + (b * np.sin(angles - phi)) ** 2)[:, None]
        t = s[None, :] - (x * np.cos(angles) + y * np.sin(angles))[:, None]
        inside = np.clip(w ** 2 - t ** 2, 0, None)
        sino += 2 * rho * a * b * np.sqrt(inside) / w ** 2
    return sino + rng.normal(0, 1e-3, sino.shape)


def ramp_filter(sino):
    n = 2 * NDET
    f = np.fft.rfftfreq(n)
    window = 2 * f * np.cos(np.pi * f)
    return np.fft.irfft(np.fft.rfft(sino, n, axis=1) * window, n, axis=1)[:, :NDET]


def back_project(sino, angles, grid):
    x, y = grid
    out = np.zeros(x.shape)
    s = np.linspace(-1, 1, NDET)
    for row, th in zip(sino, angles):
        out += np.interp((x * np.cos(th) + y * np.sin(th)).ravel(), s, row).reshape(x.shape)
    return out * np.pi / (2 * len(angles))


class Volume:
    """The reconstructed volume, slice by slice in one file."""

    def __init__(self, path):
        self.file = open(path, "wb", buffering=0)

    def put(self, slices):
        self.file.write(np.array(slices, dtype=np.float32).data)

    def close(self):
        os.fsync(self.file.fileno())
        self.file.close()


def main():
    nslice = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    angles = np.linspace(0, np.pi, NANG, endpoint=False)
    axis = np.linspace(-1, 1, NDET)
    grid = np.meshgrid(axis, axis)
    volume = Volume("volume.raw")
    mean, block = 0.0, []
    for k in range(nslice):
        rng = np.random.default_rng(1917 + k)
        image = back_project(ramp_filter(phantom_sinogram(rng, angles)), angles, grid)
        mean += image.mean()
        block.append(image)
        if len(block) == BLOCK or k + 1 == nslice:
            volume.put(block)
            block = []
    volume.close()
    print("%d slices of %d x %d, mean density %.5f" % (nslice, NDET, NDET, mean / nslice))


if __name__ == "__main__":
    main()
