#!/usr/bin/env python3
"""Aggregate detections of each survey field into zone statistics, in parallel.

usage: zones.py fields/ zones.csv
Every field file (a catalogue dump with fixed-length records) is cut into declination zones; the
zones are worked on by worker processes (start method "spawn": the site library is not fork-safe).
"""
import multiprocessing as mp
import os
import sys

import numpy as np
import pandas as pd

RECORD = np.dtype([("ra", "<f4"), ("dec", "<f4"), ("flux", "<f4"), ("err", "<f4"), ("band", "u1"), ("flag", "u1"), ("ccd", "<u2")])
WORKERS = 2


def load(path):
    with open(path, "rb") as f:
        magic, count = np.frombuffer(f.read(8), dtype="<u4")
        if magic != 0x31444C46:
            raise ValueError(f"{path}: wrong magic {magic:#x}")
        rec = np.frombuffer(f.read(), dtype=RECORD)
    if len(rec) != count:
        raise ValueError(f"{path}: {len(rec)} records, header says {count}")
    return rec


def zone_statistics(job):
    """Weighted mean and robust scatter per band of one zone; runs in a worker."""
    name, zone, rec = job
    frame = pd.DataFrame({n: rec[n] for n in ("flux", "err", "band", "flag")})
    frame = frame[frame["flag"] == 0]
    rows = []
    for band, part in frame.groupby("band"):
        w = 1 / part["err"].to_numpy("f8") ** 2
        flux = part["flux"].to_numpy("f8")
        mad = np.median(np.abs(flux - np.median(flux)))
        rows.append((name, zone, int(band), len(part), float((flux * w).sum() / w.sum()), 1.4826 * float(mad)))
    return rows


def split(name, rec, nzones=6):
    edges = np.linspace(rec["dec"].min(), rec["dec"].max() + 1e-4, nzones + 1)
    which = np.digitize(rec["dec"], edges) - 1
    return [(name, z, rec[which == z]) for z in range(nzones)]


def process_field(path, pool):
    name = os.path.splitext(os.path.basename(path))[0]
    jobs = split(name, load(path))
    return [row for rows in pool.map(zone_statistics, jobs, chunksize=1) for row in rows]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, table = sys.argv[1:]
    paths = sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".fld"))
    rows, failed = [], 0
    with mp.get_context("spawn").Pool(WORKERS) as pool:
        for path in paths:
            try:
                rows += process_field(path, pool)
            except ValueError as exc:
                print(f"skipping: {exc}")
                failed += 1
    with open(table, "w") as out:
        out.write("field,zone,band,n,mean,scatter\n")
        for r in rows:
            out.write(f"{r[0]},{r[1]},{r[2]},{r[3]},{r[4]:.5f},{r[5]:.5f}\n")
    print(f"{len(paths) - failed} fields, {len(rows)} zone rows, {sum(r[3] for r in rows)} detections used")


if __name__ == "__main__":
    main()
