#!/usr/bin/env python3
"""Aperture photometry and moments on stamps cut from a large coadd image.

usage: stamps.py coadd.img sources.csv phot.csv
coadd.img: FITS-like, header cards of 80 bytes padded to 2880, then NAXIS2 x NAXIS1 big-endian int16.
"""
import csv
import sys

import numpy as np

HALF = 8
YY, XX = np.mgrid[-HALF:HALF + 1, -HALF:HALF + 1].astype("f4")
APERTURE = (XX ** 2 + YY ** 2) <= 6.0 ** 2
EDGE = (XX ** 2 + YY ** 2) > 7.5 ** 2


class Coadd:
    def __init__(self, path):
        self.path = path
        self.cards, self.offset = self.read_header(path)
        self.shape = (int(self.cards["NAXIS2"]), int(self.cards["NAXIS1"]))
        self.zero = float(self.cards.get("BZERO", 0))

    @staticmethod
    def read_header(path):
        cards = {}
        with open(path, "rb") as f:
            while True:
                block = f.read(2880)
                if len(block) < 2880:
                    raise ValueError(f"{path}: no END card")
                for k in range(0, 2880, 80):
                    card = block[k:k + 80].decode("ascii")
                    if card.startswith("END"):
                        return cards, f.tell()
                    if card[8:10] == "= ":
                        cards[card[:8].strip()] = card[10:].split("/")[0].strip()

    def pixels(self):
        return np.memmap(self.path, dtype=">i2", mode="r", offset=self.offset, shape=self.shape)

    def stamp(self, x, y):
        ix, iy = int(round(x)), int(round(y))
        if not (HALF <= ix < self.shape[1] - HALF and HALF <= iy < self.shape[0] - HALF):
            return None
        window = self.pixels()[iy - HALF:iy + HALF + 1, ix - HALF:ix + HALF + 1]
        return np.asarray(window, dtype="f4") + self.zero


def measure(stamp):
    sky = float(stamp[EDGE].mean())
    light = (stamp - sky) * APERTURE
    flux = float(light.sum())
    if flux <= 0:
        return sky, flux, 0.0, 0.0
    return sky, flux, float((light * XX).sum()) / flux, float((light * YY).sum()) / flux


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    coadd = Coadd(sys.argv[1])
    n = outside = 0
    fluxes = []
    with open(sys.argv[2], newline="") as src, open(sys.argv[3], "w") as out:
        out.write("id,sky,flux,dx,dy\n")
        for row in csv.DictReader(src):
            stamp = coadd.stamp(float(row["x"]), float(row["y"]))
            if stamp is None:
                outside += 1
                continue
            sky, flux, dx, dy = measure(stamp)
            out.write(f"{row['id']},{sky:.3f},{flux:.2f},{dx:.4f},{dy:.4f}\n")
            fluxes.append(flux)
            n += 1
    print(f"{n} stamps measured, {outside} outside, median flux {np.median(fluxes):.3f}")


if __name__ == "__main__":
    main()
