#!/usr/bin/env python3
"""Stack raw detector frames into a time cube and derive per-pixel statistics.

Layout after the "chunked storage" and "resizable datasets" sections of the h5py documentation
(own code): an extendible (time, y, x) dataset is filled one exposure at a time, then read in slabs.

usage: cube.py frames.raw  NFRAMES  stats.csv
"""
import os
import sys

import h5py
import numpy as np

NY = NX = 256
HEADER = 512
CHUNKS = (1, 256, 256)


def frames(path, count):
    """Yield (mjd, frame) from the camera dump: a text header of 512 bytes, then big-endian uint16."""
    size = HEADER + NY * NX * 2
    with open(path, "rb") as dump:
        for k in range(count):
            block = dump.read(size)
            if len(block) != size:
                raise EOFError(f"{path}: frame {k} is truncated")
            cards = dict(c.split("=", 1) for c in block[:HEADER].decode("ascii").split("\n") if "=" in c)
            frame = np.frombuffer(block, dtype=">u2", offset=HEADER).reshape(NY, NX)
            yield float(cards["MJD"]), frame


def build(path, source, count):
    with h5py.File(path, "w", libver="latest") as f:
        cube = f.create_dataset("cube", shape=(0, NY, NX), maxshape=(None, NY, NX), dtype="u2", chunks=CHUNKS)
        time = f.create_dataset("mjd", shape=(count,), dtype="f8")
        cube.attrs["BUNIT"] = "adu"
        bias = None
        mjd = np.empty(count)
        for k, (stamp, frame) in enumerate(frames(source, count)):
            if bias is None:
                bias = np.median(frame[:, :16])
            level = np.median(frame[:, :16]) - bias
            clean = np.clip(frame.astype("f4") - level, 0, 65535).astype("u2")
            cube.resize(k + 1, axis=0)
            cube[k] = clean
            mjd[k] = stamp
        time[:] = mjd


def statistics(path, slab=20):
    """Mean and scatter per pixel, the slabs being merged with running sums."""
    with h5py.File(path, "r") as f:
        cube = f["cube"]
        n = cube.shape[0]
        total = np.zeros((NY, NX))
        square = np.zeros((NY, NX))
        peak = np.zeros((NY, NX), dtype="u2")
        for t in range(0, n, slab):
            part = cube[t:t + slab]
            np.maximum(peak, part.max(axis=0), out=peak)
            part = part.astype("f8")
            total += part.sum(axis=0)
            square += (part ** 2).sum(axis=0)
        span = f["mjd"][-1] - f["mjd"][0]
    mean = total / n
    return mean, np.sqrt(np.maximum(square / n - mean ** 2, 0)), peak, span


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, count, table = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    work = "cube.h5"
    build(work, source, count)
    mean, sigma, peak, span = statistics(work)
    score = (peak - mean) / np.maximum(sigma, 1)
    order = np.argsort(score, axis=None, kind="stable")[::-1][:50]
    with open(table, "w") as out:
        out.write("y,x,mean,sigma,peak,score\n")
        for flat in order:
            y, x = divmod(int(flat), NX)
            out.write(f"{y},{x},{mean[y, x]:.2f},{sigma[y, x]:.3f},{peak[y, x]},{score[y, x]:.2f}\n")
    os.unlink(work)
    print(f"{count} frames over {span:.4f} d, median sigma {np.median(sigma):.3f}, best score {score.max():.2f}")


if __name__ == "__main__":
    main()
