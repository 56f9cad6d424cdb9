#!/usr/bin/env python3
"""Segment nuclei in synthetic fields, hand the label masks to the measuring
stage through files, and report area statistics per field."""
import os
import sys

import numpy as np


def synth_field(rng, size, n):
    img = rng.normal(10.0, 2.0, (size, size)).astype("f4")
    yy, xx = np.mgrid[-9:10, -9:10]
    spot = 60 * np.exp(-(yy ** 2 + xx ** 2) / 40.0)
    for y, x in rng.integers(10, size - 10, (n, 2)):
        img[y - 9:y + 10, x - 9:x + 10] += spot
    return img


def smooth(img):
    out = img.copy()
    for axis in (0, 1):
        out = (np.roll(out, 1, axis) + out + np.roll(out, -1, axis)) / 3
    return out


def label(mask):
    """Cheap labelling: minimum propagation over the 4-neighbourhood."""
    lab = np.where(mask, np.arange(1, mask.size + 1).reshape(mask.shape), 0)
    big = mask.size + 1
    for _ in range(6):
        work = np.where(mask, lab, big)
        low = work.copy()
        low[1:] = np.minimum(low[1:], work[:-1])
        low[:-1] = np.minimum(low[:-1], work[1:])
        low[:, 1:] = np.minimum(low[:, 1:], work[:, :-1])
        low[:, :-1] = np.minimum(low[:, :-1], work[:, 1:])
        lab = np.where(mask, low, 0)
    return np.unique(lab, return_inverse=True)[1].reshape(mask.shape)


def mask_path(folder, i):
    return os.path.join(folder, f"field_{i:03d}.masks")


def save_masks(path, labels):
    with open(path, "wb") as fh:
        np.save(fh, labels.astype("i4"))


def load_masks(path):
    return np.load(path)


def save_signal(path, img):
    with open(path, "wb") as fh:
        np.save(fh, img)


def load_signal(path):
    return np.load(path)


def segment_stage(folder, n_fields, size):
    rng = np.random.default_rng(5)
    for i in range(n_fields):
        img = smooth(synth_field(rng, size, 160))
        save_masks(mask_path(folder, i), label(img > 26))
        save_signal(mask_path(folder, i) + ".signal", img)


def measure_stage(folder, n_fields):
    rows = []
    for i in range(n_fields):
        lab = load_masks(mask_path(folder, i))
        signal = load_signal(mask_path(folder, i) + ".signal")
        area = np.bincount(lab.ravel())[1:]
        light = np.bincount(lab.ravel(), weights=signal.ravel())[1:]
        area = area[area > 5]
        rows.append((i, len(area), float(area.mean()), int(area.max()), float(light.max())))
    return rows


def main():
    n_fields, size = int(sys.argv[1]), int(sys.argv[2])
    os.makedirs("masks", exist_ok=True)
    segment_stage("masks", n_fields, size)
    for row in measure_stage("masks", n_fields):
        print("field %d: %d nuclei, mean area %.3f, largest %d, brightest %.4f" % row)


if __name__ == "__main__":
    main()
