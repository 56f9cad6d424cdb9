#!/usr/bin/env python
"""Toy Monte Carlo of jets, written as a columnar n-tuple in HDF5.

Events are generated in blocks; every block is appended to the columns of the
group /jets.  A closing pass reads the columns back and prints the
distributions that the validation page shows.
"""
import argparse

import h5py
import numpy as np

COLUMNS = ("pt", "eta", "phi", "mass", "btag")
ROWS_PER_CHUNK = 8     # typical number of jets of one event


class NtupleWriter:
    """Appends blocks of jets to extendible columns."""

    def __init__(self, path):
        self.h5 = h5py.File(path, "w")
        grp = self.h5.create_group("jets")
        self.cols = {
            name: grp.create_dataset(name, shape=(0,), maxshape=(None,),
                                     dtype="f4", chunks=(ROWS_PER_CHUNK,))
            for name in COLUMNS
        }
        self.n = 0

    def append(self, block):
        m = len(block["pt"])
        for name, ds in self.cols.items():
            ds.resize((self.n + m,))
            ds[self.n:self.n + m] = block[name]
        self.n += m

    def close(self):
        self.h5["jets"].attrs["rows"] = self.n
        self.h5.close()


def generate(rng, events):
    """One block: Poisson jets per event with a falling pt spectrum."""
    n = int(rng.poisson(5.0, events).sum())
    pt = 20.0 + rng.exponential(35.0, n)
    eta = np.clip(rng.normal(0, 1.6, n), -4.5, 4.5)
    phi = rng.uniform(-np.pi, np.pi, n)
    mass = 0.12 * pt * rng.gamma(2.0, 0.5, n)
    btag = rng.beta(0.6, 2.5, n)
    return dict(pt=pt.astype("f4"), eta=eta.astype("f4"), phi=phi.astype("f4"),
                mass=mass.astype("f4"), btag=btag.astype("f4"))


def validate(path):
    with h5py.File(path, "r") as h5:
        jets = h5["jets"]
        print("jets", int(jets.attrs["rows"]))
        pt = jets["pt"][:]
        for name in COLUMNS:
            col = jets[name][:].astype("f8")
            print(f"{name:5s} mean {col.mean():10.5f} rms {col.std():10.5f}")
        hist, _ = np.histogram(pt, bins=[20, 40, 80, 160, 320, 1000])
        print("pt spectrum", hist.tolist())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--blocks", type=int, default=180)
    ap.add_argument("--events", type=int, default=250)
    args = ap.parse_args()
    rng = np.random.default_rng(2024)
    writer = NtupleWriter(args.out)
    for _ in range(args.blocks):
        writer.append(generate(rng, args.events))
    writer.close()
    validate(args.out)


if __name__ == "__main__":
    main()
