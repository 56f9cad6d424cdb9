#!/usr/bin/env python
"""Find near-duplicate image tiles with perceptual hashes kept in SQLite.

Each tile gets a 64-bit hash from the low frequencies of its cosine transform.
The hashes are stored row by row as tiles come in; near duplicates are then
searched among tiles that share one 16-bit band of the hash.
"""
import sqlite3
import sys

import numpy as np

SIDE = 32


def dct_matrix(n):
    k = np.arange(n)[:, None]
    m = np.cos(np.pi * (2 * np.arange(n)[None] + 1) * k / (2 * n))
    m[0] /= np.sqrt(2)
    return m * np.sqrt(2 / n)


DCT = dct_matrix(SIDE)


def tiles(count, seed):
    """Stream of tiles; one of forty is a noisy copy of an earlier one."""
    rng = np.random.default_rng(seed)
    kept = []
    for i in range(count):
        if i % 40 == 39 and kept:
            tile = kept[int(rng.integers(len(kept)))] + rng.normal(0, 0.15, (SIDE, SIDE))
        else:
            tile = np.cumsum(np.cumsum(rng.normal(0, 1, (SIDE, SIDE)), axis=0), axis=1)
            if i % 10 == 0:
                kept.append(tile)
        yield i, tile


def phash(tile):
    low = (DCT @ tile @ DCT.T)[:8, :8].ravel()
    bits = low > np.median(low[1:])
    value = 0
    for b in bits:
        value = value << 1 | int(b)
    return value


def open_store(path):
    con = sqlite3.connect(path)
    con.executescript("""
        DROP TABLE IF EXISTS hashes;
        CREATE TABLE hashes (tile INTEGER PRIMARY KEY, hash TEXT,
                             b0 INTEGER, b1 INTEGER, b2 INTEGER, b3 INTEGER);
    """)
    return con


def fill(con, count):
    for i, tile in tiles(count, 19):
        h = phash(tile)
        bands = [(h >> s) & 0xFFFF for s in (0, 16, 32, 48)]
        con.execute("INSERT INTO hashes VALUES (?,?,?,?,?,?)", (i, f"{h:016x}", *bands))
    con.commit()


def duplicates(con, limit=6):
    """Pairs of tiles whose hashes differ in few bits."""
    pairs = set()
    for b in range(4):
        con.execute(f"CREATE INDEX IF NOT EXISTS band{b} ON hashes (b{b})")
        for a, ha, c, hc in con.execute(
                f"SELECT p.tile, p.hash, q.tile, q.hash FROM hashes p JOIN hashes q"
                f" ON p.b{b} = q.b{b} AND p.tile < q.tile"):
            if bin(int(ha, 16) ^ int(hc, 16)).count("1") <= limit:
                pairs.add((a, c))
    con.commit()
    return sorted(pairs)


def main(path, count=14000):
    con = open_store(path)
    fill(con, count)
    found = duplicates(con)
    print("tiles", con.execute("SELECT COUNT(*) FROM hashes").fetchone()[0])
    print("near duplicates", len(found))
    print("first", found[:3])
    con.close()


if __name__ == "__main__":
    main(sys.argv[1])
