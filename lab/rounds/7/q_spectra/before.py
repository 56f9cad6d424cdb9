"""Fit emission line centres of a set of spectra by grid search."""
import queue
import sys
import threading

import h5py
import numpy as np

BLOCK = 32


class BlockReader(threading.Thread):
    """Reads blocks of spectra and hands them to the fit."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path = path
        self.blocks = queue.Queue(maxsize=4)

    def run(self):
        with h5py.File(self.path, "r") as f:
            flux = f["flux"]
            for first in range(0, flux.shape[0], BLOCK):
                self.blocks.put((first, flux[first:first + BLOCK]))
        self.blocks.put(None)


def fit_block(spectra, wave, centres, width):
    spectra = spectra - np.median(spectra, axis=1, keepdims=True)
    best = np.full(len(spectra), -np.inf)
    where = np.zeros(len(spectra))
    for c in centres:
        profile = np.exp(-((wave - c) / width) ** 2)
        profile -= profile.mean()
        profile /= np.sqrt((profile ** 2).sum())
        score = (spectra * profile).sum(axis=1)
        better = score > best
        best[better] = score[better]
        where[better] = c
    return where, best


def main():
    grid = int(sys.argv[1])
    wave = np.linspace(0, 1, 1024)
    centres = np.linspace(0.15, 0.85, grid)
    reader = BlockReader("spectra.h5")
    reader.start()
    with h5py.File("lines.h5", "w") as out:
        out.attrs["grid"] = grid
        positions = out.create_dataset("centre", (512,), "f8", chunks=(32,), compression="gzip")
        scores = out.create_dataset("score", (512,), "f8", chunks=(32,), compression="gzip")
        while True:
            item = reader.blocks.get()
            if item is None:
                break
            first, spectra = item
            where, best = fit_block(spectra, wave, centres, 0.01)
            positions[first:first + BLOCK] = where
            scores[first:first + BLOCK] = best
            positions.attrs["block%03d" % (first // BLOCK)] = float(where.mean())
            out.flush()
        print("mean centre %.5f" % positions[:].mean())


if __name__ == "__main__":
    main()
