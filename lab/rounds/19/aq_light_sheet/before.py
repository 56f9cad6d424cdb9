#!/usr/bin/env python3
"""Flat-field estimate and projections of a light-sheet stack that the
microscope software stored as one PNG per plane."""
import glob
import os
import sys

import numpy as np
from PIL import Image


def list_planes(folder):
    return sorted(glob.glob(os.path.join(folder, "plane_*.png")))


def load_plane(path):
    with Image.open(path) as im:
        return np.asarray(im.convert("RGB"))


class Projection:
    """Maximum and mean projection, accumulated plane after plane."""

    def __init__(self, shape):
        self.maximum = np.zeros(shape, "u1")
        self.total = np.zeros(shape, "u4")
        self.planes = 0

    def add(self, plane):
        np.maximum(self.maximum, plane, out=self.maximum)
        self.total += plane
        self.planes += 1

    def mean(self):
        return self.total / max(self.planes, 1)


def block_profile(channel, block=64):
    h, w = channel.shape
    h, w = h - h % block, w - w % block
    return channel[:h, :w].reshape(h // block, block, w // block, block).mean((1, 3))


def flat_field(mean):
    profile = block_profile(mean)
    return profile / profile.mean()


def write_report(path, lines):
    with open(path, "w") as fh:
        fh.write("\n".join(lines) + "\n")


def main():
    folder = sys.argv[1]
    planes = list_planes(folder)
    first = load_plane(planes[0])
    proj = Projection(first.shape)
    depth = []
    for path in planes:
        plane = load_plane(path)
        proj.add(plane)
        depth.append(float(plane[::8, ::8, 1].mean()))

    lines = []
    for c, name in enumerate(("red", "green", "blue")):
        ff = flat_field(proj.mean()[:, :, c])
        lines.append(f"{name:6s} flat field {ff.min():.5f} .. {ff.max():.5f}  "
                     f"max sum {int(proj.maximum[:, :, c].sum(dtype='u8'))}")
    brightest = int(np.argmax(depth))
    lines.append(f"{len(planes)} planes, brightest plane {brightest} ({depth[brightest]:.4f})")
    np.save("projection.npy", proj.maximum)
    write_report("report.txt", lines)
    print("\n".join(lines))


if __name__ == "__main__":
    main()
