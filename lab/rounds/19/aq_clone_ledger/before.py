#!/usr/bin/env python3
"""Clonotype ledger: receptor reads are collapsed into clones and kept in a
SQLite ledger row by row, one transaction for each sample."""
import sqlite3
import sys
from collections import Counter

import numpy as np

AA = np.frombuffer(b"ACDEFGHIKLMNPQRSTVWY", dtype="S1")


def open_ledger(path):
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE clone(sample TEXT, cdr3 TEXT, reads INTEGER, "
               "PRIMARY KEY(sample, cdr3)) WITHOUT ROWID")
    return db


def draw_reads(rng, n):
    lengths = rng.integers(9, 14, n)
    pool = rng.zipf(1.6, n) % 6000
    for length, seed in zip(lengths, pool):
        state = int(seed) * 2654435761 % 2**32
        letters = []
        for _ in range(int(length)):
            state = (state * 1664525 + 1013904223) % 2**32
            letters.append(int(state >> 27) % 20)
        yield AA[letters].tobytes().decode()


def store_sample(db, sample, clones):
    for cdr3, reads in sorted(clones.items()):
        db.execute("INSERT INTO clone VALUES (?, ?, ?)", (sample, cdr3, reads))
    db.commit()


def shannon(counts):
    p = np.asarray(counts, float)
    p /= p.sum()
    return float(-(p * np.log(p)).sum())


def diversity(db, sample):
    rows = db.execute("SELECT reads FROM clone WHERE sample=? ORDER BY cdr3",
                      (sample,)).fetchall()
    return len(rows), shannon([r[0] for r in rows])


def public_clones(db):
    return db.execute("SELECT count(*) FROM (SELECT cdr3 FROM clone GROUP BY cdr3 "
                      "HAVING count(DISTINCT sample) >= 3)").fetchone()[0]


def main():
    n_samples, n_reads = int(sys.argv[1]), int(sys.argv[2])
    rng = np.random.default_rng(12)
    db = open_ledger("ledger.db")
    samples = [f"S{i:02d}" for i in range(n_samples)]
    for s in samples:
        store_sample(db, s, Counter(draw_reads(rng, n_reads)))
    for s in samples:
        n, h = diversity(db, s)
        print(f"{s}: {n} clones, Shannon {h:.6f}")
    print(f"public clones: {public_clones(db)}")
    db.close()


if __name__ == "__main__":
    main()
