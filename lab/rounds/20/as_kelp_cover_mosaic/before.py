"""Kelp cover of a coastline mosaic, in strips shared among MPI ranks.

Every rank reads its own rows of the two-band mosaic in blocks, classifies
them by a floating-algae ratio and adds up the cover by sector.
"""
import argparse
import json

import numpy as np
from mpi4py import MPI


def read_meta(comm, path):
    meta = None
    if comm.rank == 0:
        with open(path) as f:
            meta = json.load(f)
    return comm.bcast(meta)


def share(rows, rank, size):
    step = -(-rows // size)
    return rank * step, min(rows, (rank + 1) * step)


def blocks(path, meta, first, last, depth):
    """Pairs of bands of consecutive rows, interleaved by line in the file."""
    width = meta["width"]
    with open(path, "rb") as f:
        f.seek(first * 2 * width * 2)
        for row in range(first, last, depth):
            n = min(depth, last - row)
            raw = np.fromfile(f, dtype="<u2", count=n * 2 * width)
            yield row, raw.reshape(n, 2, width)


def ratio(block):
    red = block[:, 0].astype(np.float64) * 1e-4
    nir = block[:, 1].astype(np.float64) * 1e-4
    glint = np.sqrt(red * nir)
    return (nir - red - 0.1 * glint) / (nir + red + 1e-3)


def smooth(field):
    out = field.copy()
    out[:, 1:-1] = (field[:, :-2] + 2 * field[:, 1:-1] + field[:, 2:]) / 4
    return np.tanh(3 * out)


def classify(path, meta, first, last, depth, cut):
    sectors = np.zeros(meta["sectors"], dtype=np.int64)
    total = 0.0
    edge = np.linspace(0, meta["width"], meta["sectors"] + 1).astype(int)
    for _, block in blocks(path, meta, first, last, depth):
        field = smooth(smooth(ratio(block)))
        total += float(np.round(field, 6).sum())
        kelp = field > cut
        for s in range(meta["sectors"]):
            sectors[s] += int(kelp[:, edge[s]:edge[s + 1]].sum())
    return sectors, total


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("mosaic")
    p.add_argument("--meta", default="mosaic.json")
    p.add_argument("--depth", type=int, default=64)
    p.add_argument("--cut", type=float, default=0.6)
    args = p.parse_args()

    comm = MPI.COMM_WORLD
    meta = read_meta(comm, args.meta)
    first, last = share(meta["rows"], comm.rank, comm.size)
    mine, total = classify(args.mosaic, meta, first, last, args.depth, args.cut)
    sectors = np.zeros_like(mine)
    comm.Reduce(mine, sectors, op=MPI.SUM, root=0)
    total = comm.reduce(total, op=MPI.SUM, root=0)
    if comm.rank == 0:
        np.save("cover.npy", sectors)
        for s, n in enumerate(sectors):
            print(f"sector {s} {n * meta['pixel'] ** 2 / 1e4:.2f} ha")
        print(f"index {total:.2f}")


if __name__ == "__main__":
    main()
