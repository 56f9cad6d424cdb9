"""Peak map of a Raman scan: baseline, band intensity and position for each pixel.

Every pixel of the map has a slot of 4096 bytes (two repeats of 1024 counts, uint16).
usage: peak_map.py map.raw width height
"""
import mmap
import os
import sys

import numpy as np

SLOT = 4096                       # bytes per pixel
CHANNELS = 1024
WAVENUMBER0, STEP = 100.0, 3.2    # cm^-1
BAND = (1540.0, 1620.0)           # the G band of graphite


def channel(wavenumber):
    return int(round((wavenumber - WAVENUMBER0) / STEP))


class RamanScan:
    """Gives the spectra of a scan file pixel by pixel."""

    def __init__(self, name, width, height):
        self.file = open(name, "rb")
        self.width, self.height = width, height
        if os.fstat(self.file.fileno()).st_size < width * height * SLOT:
            raise ValueError("scan file too short")

    def spectrum(self, x, y):
        offset = (y * self.width + x) * SLOT
        with mmap.mmap(self.file.fileno(), SLOT, offset=offset, access=mmap.ACCESS_READ) as m:
            counts = np.frombuffer(m[:], dtype=np.uint16)
        return counts.reshape(2, CHANNELS)

    def close(self):
        self.file.close()


def despike(repeats):
    """Cosmic rays hit only one of the two repeats: the lower count is the true one."""
    return np.minimum(repeats[0], repeats[1]).astype(np.float32)


def band_parameters(spectrum, lo, hi, axis):
    left = spectrum[lo - 8:lo].sum() / 8
    right = spectrum[hi:hi + 8].sum() / 8
    band = spectrum[lo:hi] - np.linspace(left, right, hi - lo, dtype=np.float32)
    area = float(band.sum())
    weight = np.abs(band)
    position = float((weight @ axis) / (weight.sum() + 1e-6))
    return area, position


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "map.raw"
    width = int(sys.argv[2]) if len(sys.argv) > 2 else 250
    height = int(sys.argv[3]) if len(sys.argv) > 3 else 180
    lo, hi = channel(BAND[0]), channel(BAND[1])
    axis = (WAVENUMBER0 + STEP * np.arange(lo, hi)).astype(np.float32)

    scan = RamanScan(name, width, height)
    area = np.zeros((height, width), np.float32)
    position = np.zeros((height, width), np.float32)
    for y in range(height):
        for x in range(width):
            spectrum = despike(scan.spectrum(x, y))
            area[y, x], position[y, x] = band_parameters(spectrum, lo, hi, axis)
    scan.close()

    np.save("area.npy", area)
    np.save("position.npy", position)
    print("pixels %d, mean area %.2f, mean position %.3f cm^-1"
          % (area.size, area.mean(dtype=float), position.mean(dtype=float)))


if __name__ == "__main__":
    main()
