#!/usr/bin/env python3
"""Build a cell-by-gene store (an .h5ad look-alike) from sequencing batches,
then test a panel of marker genes for each cluster."""
import sys

import h5py
import numpy as np


def simulate_batch(rng, n_cells, n_genes, profile, labels):
    """Sparse counts of one sequencing batch (most entries are zero)."""
    out = np.zeros((n_cells, n_genes), dtype="f4")
    nnz = n_cells * n_genes // 20
    r = rng.integers(0, n_cells, nnz)
    c = rng.integers(0, n_genes, nnz)
    out[r, c] = rng.poisson(profile[labels[r], c]) + 1
    return out


class CellStore:
    """X is kept as one chunked dataset, obs/var as plain columns."""

    def __init__(self, path, n_genes, batch):
        self.f = h5py.File(path, "w")
        self.x = self.f.create_dataset(
            "X", shape=(0, n_genes), maxshape=(None, n_genes), dtype="f4",
            chunks=(batch, 16), compression="lzf")
        self.cluster = self.f.create_dataset("obs/cluster", shape=(0,),
                                             maxshape=(None,), dtype="i4",
                                             chunks=(4096,))

    def append(self, counts, labels):
        n = self.x.shape[0]
        self.x.resize(n + len(counts), axis=0)
        self.x[n:] = counts
        self.cluster.resize(n + len(labels), axis=0)
        self.cluster[n:] = labels

    def write_var(self, names):
        self.f["var/name"] = np.asarray(names, dtype="S12")

    def close(self):
        self.f.close()


def library_sizes(x, step):
    sizes = np.empty(x.shape[0], dtype="f8")
    for start in range(0, x.shape[0], step):
        sizes[start:start + step] = x[start:start + step].sum(axis=1)
    return sizes


def test_gene(column, sizes, labels, k):
    norm = np.log1p(1e4 * column / np.maximum(sizes, 1.0))
    best, score = -1, -np.inf
    for c in range(k):
        inside = norm[labels == c]
        outside = norm[labels != c]
        t = (inside.mean() - outside.mean()) / np.sqrt(
            inside.var() / inside.size + outside.var() / outside.size + 1e-9)
        if t > score:
            best, score = c, t
    return best, score


def main():
    n_batches, panel_size = int(sys.argv[1]), int(sys.argv[2])
    batch, n_genes, k = 400, 1600, 5
    rng = np.random.default_rng(11)
    profile = rng.gamma(0.6, 2.0, size=(k, n_genes))

    store = CellStore("cells.h5ad", n_genes, batch)
    for _ in range(n_batches):
        labels = rng.integers(0, k, batch)
        store.append(simulate_batch(rng, batch, n_genes, profile, labels), labels)
    store.write_var([f"GENE{i:06d}" for i in range(n_genes)])
    store.close()

    with h5py.File("cells.h5ad", "r") as f:
        x = f["X"]
        labels = f["obs/cluster"][:]
        names = f["var/name"][:]
        sizes = library_sizes(x, batch)
        panel = rng.choice(n_genes, panel_size, replace=False)
        table = []
        for gene in panel:
            column = x[:, gene]
            best, score = test_gene(column, sizes, labels, k)
            table.append((names[gene].decode(), best, round(float(score), 4)))

    table.sort(key=lambda row: -row[2])
    for row in table[:3]:
        print("%s cluster %d t=%.4f" % row)
    print("sum of scores %.4f over %d genes" % (sum(r[2] for r in table), len(table)))


if __name__ == "__main__":
    main()
