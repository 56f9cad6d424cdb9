#!/usr/bin/env python3
"""Accumulate exposures into a weighted coadd that survives interruption.

usage: coadd.py exposures.bin coadd.npy summary.txt
The accumulator (weighted sum, weight) lives in a .npy beside a list of the exposures already
in; after each exposure both are brought up to date, so that a killed run can be resumed.
"""
import json
import os
import struct
import sys

import numpy as np

SHAPE = (2, 1024, 1536)                # planes: flux*weight, weight
HEAD = struct.Struct("<4sIiiiiff")     # magic, number, x0, y0, nx, ny, zero point, sky sigma


def exposures(path):
    with open(path, "rb") as f:
        while head := f.read(HEAD.size):
            magic, number, x0, y0, nx, ny, zp, sigma = HEAD.unpack(head)
            if magic != b"EXPO":
                raise ValueError(f"{path}: bad block at {f.tell() - HEAD.size}")
            raw = np.frombuffer(f.read(nx * ny * 2), dtype="<i2").reshape(ny, nx)
            yield number, (x0, y0), zp, sigma, raw


def clean(raw, zp, sigma):
    """Sky-subtract by rows, scale to the common zero point, mask hot pixels."""
    data = raw.astype("f4")
    data -= np.median(data, axis=1, keepdims=True)
    mask = np.abs(data) > 60 * sigma
    scale = 10 ** (-0.4 * (zp - 27.0))
    weight = np.where(mask, 0, 1 / (sigma * scale) ** 2).astype("f4")
    return data * scale, weight


class Accumulator:
    def __init__(self, path):
        self.path = path
        self.log = path + ".done"
        if os.path.exists(path) and os.path.exists(self.log):
            with open(self.log) as f:
                self.done = {json.loads(line)["exposure"] for line in f}
            self.planes = np.load(path, mmap_mode="r+")
        else:
            self.done = set()
            self.planes = np.lib.format.open_memmap(path, mode="w+", dtype="f4", shape=SHAPE)
            open(self.log, "w").close()

    def add(self, number, corner, data, weight):
        x0, y0 = corner
        ny, nx = data.shape
        self.planes[0, y0:y0 + ny, x0:x0 + nx] += data * weight
        self.planes[1, y0:y0 + ny, x0:x0 + nx] += weight
        with open(self.log, "a") as f:
            f.write(json.dumps({"exposure": number, "corner": corner}) + "\n")
        self.done.add(number)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    acc = Accumulator(sys.argv[2])
    skipped = 0
    for number, corner, zp, sigma, raw in exposures(sys.argv[1]):
        if number in acc.done:
            skipped += 1
            continue
        acc.add(number, corner, *clean(raw, zp, sigma))
    weight = acc.planes[1]
    covered = weight > 0
    image = acc.planes[0][covered] / weight[covered]
    lines = [f"exposures {len(acc.done)} skipped {skipped}", f"covered {covered.mean():.5f}",
             f"rms {image.std():.5f}", f"max {image.max():.4f}", f"depth {weight.max():.5f}"]
    with open(sys.argv[3], "w") as out:
        out.write("\n".join(lines) + "\n")
    print("; ".join(lines))


if __name__ == "__main__":
    main()
