"""Association scan of simulated genotypes; hits and progress go to a SQLite file."""
import os
import sqlite3
import sys

import numpy as np

SAMPLES = 2000
BLOCK = 250


def open_results(path):
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA synchronous = OFF")
    db.execute("CREATE TABLE hit (variant INTEGER PRIMARY KEY, freq REAL, beta REAL, z REAL)")
    db.execute("CREATE TABLE progress (block INTEGER, variants INTEGER, best REAL)")
    return db


def simulate_block(rng, size):
    freq = rng.uniform(0.05, 0.5, size=size)
    first = rng.random((SAMPLES, size)) < freq
    second = rng.random((SAMPLES, size)) < freq
    return freq, first.astype(np.float64) + second


def regress_out(covariates, values):
    q, _ = np.linalg.qr(covariates)
    return values - q @ (q.T @ values)


def scan_block(dosage, phenotype, covariates):
    resid = regress_out(covariates, dosage)
    norm = np.einsum("ij,ij->j", resid, resid)
    beta = resid.T @ phenotype / norm
    error = phenotype[:, None] - resid * beta
    sigma = np.sqrt(np.einsum("ij,ij->j", error, error) / (SAMPLES - covariates.shape[1] - 1))
    return beta, beta / (sigma / np.sqrt(norm))


def store(db, block, first, freq, beta, z):
    for k in np.flatnonzero(np.abs(z) > 2.6):
        db.execute("INSERT INTO hit VALUES (?, ?, ?, ?)",
                   (int(first + k), float(freq[k]), float(beta[k]), float(z[k])))
    db.execute("INSERT INTO progress VALUES (?, ?, ?)",
               (block, int(freq.size), float(np.abs(z).max())))
    if block % 10 == 9:
        db.commit()


def main():
    nblock = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    rng = np.random.default_rng(404)
    covariates = np.column_stack([np.ones(SAMPLES), rng.normal(size=(SAMPLES, 5))])
    phenotype = regress_out(covariates, rng.normal(size=SAMPLES))
    db = open_results("scan.sqlite")

    for block in range(nblock):
        freq, dosage = simulate_block(rng, BLOCK)
        beta, z = scan_block(dosage, phenotype, covariates)
        store(db, block, block * BLOCK, freq, beta, z)

    db.commit()
    hits, best = db.execute("SELECT COUNT(*), MAX(ABS(z)) FROM hit").fetchone()
    done = db.execute("SELECT SUM(variants) FROM progress").fetchone()[0]
    db.close()
    print("variants", done, "hits", hits, "strongest z %.4f" % best)


if __name__ == "__main__":
    main()
