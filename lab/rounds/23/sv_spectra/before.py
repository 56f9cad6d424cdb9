#!/usr/bin/env python3
"""Extract fibre spectra of a multi-object spectrograph and stack them by class and redshift.

usage: spectra.py fibres.bin targets.csv stack.csv
Phase 1 extracts and flux-calibrates, keeping the spectra in a reduction file (spectra.h5);
phase 2 reads them back class by class, shifts them to rest frame and stacks.
"""
import csv
import os
import sys

import h5py
import numpy as np

NPIX = 256
WAVE = np.linspace(3800.0, 9200.0, NPIX)
REST = np.linspace(3000.0, 7000.0, 400)


def read_targets(path):
    with open(path, newline="") as f:
        return [(row["target"], row["class"], float(row["z"])) for row in csv.DictReader(f)]


def extract(raw):
    """Sum the five spatial rows with a fixed profile; variance by error propagation."""
    profile = np.array([.08, .24, .36, .24, .08])[:, None]
    norm = (profile ** 2).sum()
    flux = (profile * raw).sum(axis=0) / norm
    ivar = norm / np.maximum(raw.mean(axis=0) + 9.0, 1.0)
    sensitivity = 1 - ((WAVE - 6500) / 4500) ** 2
    return (flux / sensitivity).astype("f4"), (ivar * sensitivity ** 2).astype("f4")


class Reduction:
    """The reduction file: what was extracted, per target."""

    def __init__(self, path, mode, count=0):
        self.file = h5py.File(path, mode)
        if mode == "w":
            self.file.attrs["INSTRUME"] = "MOS-2"
            self.file.create_dataset("wave", data=WAVE)

    def put(self, index, target, flux, ivar):
        group = self.file.create_group(f"targets/{target}")
        group.create_dataset("flux", data=flux)
        group.create_dataset("ivar", data=ivar)

    def get(self, index, target):
        group = self.file[f"targets/{target}"]
        return group["flux"][:], group["ivar"][:]

    def close(self):
        self.file.close()


def reduce_all(raw_path, targets, out):
    size = 5 * NPIX * 2
    with open(raw_path, "rb") as f:
        for index, (target, _, _) in enumerate(targets):
            block = f.read(size)
            if len(block) < size:
                raise EOFError(f"{raw_path}: fibre {index} missing")
            out.put(index, target, *extract(np.frombuffer(block, "<u2").reshape(5, NPIX)))


def stack(red, targets):
    sums = {}
    for index, (target, kind, z) in enumerate(targets):
        if z < 0:
            continue
        flux, ivar = red.get(index, target)
        scale = np.median(flux)
        w = np.interp(REST, WAVE / (1 + z), ivar, left=0, right=0) * scale ** 2
        f = np.interp(REST, WAVE / (1 + z), flux) / scale
        total = sums.setdefault(kind, [0, np.zeros_like(REST), np.zeros_like(REST)])
        total[0] += 1
        total[1] += f * w
        total[2] += w
    return sums


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    targets = read_targets(sys.argv[2])
    red = Reduction("spectra.h5", "w", len(targets))
    reduce_all(sys.argv[1], targets, red)
    red.close()
    red = Reduction("spectra.h5", "r")
    sums = stack(red, targets)
    red.close()
    os.unlink("spectra.h5")
    with open(sys.argv[3], "w") as out:
        out.write("class,rest,flux\n")
        for kind, (n, f, w) in sorted(sums.items()):
            for x, a, b in zip(REST, f, w):
                out.write(f"{kind},{x:.2f},{a / b if b else 0:.5f}\n")
            print(f"{kind}: {n} spectra, coverage {np.mean(w > 0):.3f}, mean {np.mean(f[w > 0] / w[w > 0]):.5f}")


if __name__ == "__main__":
    main()
