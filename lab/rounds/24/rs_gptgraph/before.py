#!/usr/bin/env python3
"""Runs a SAR processing graph (calibrate, multilook, dB) over scenes and collects the results.

Structure after public wrappers of the SNAP `gpt` tool: the graph runs in a process
of its own, which leaves a product and a marker file; the driver goes on when it is there.
"""
import argparse
import glob
import json
import multiprocessing as mp
import os
import sys
import time

import numpy as np


def run_graph(scene, product, looks):
    """The graph: sigma0, multilooking, decibel; writes the product, then the marker."""
    dn = np.load(scene).astype(np.float64)
    sigma0 = dn ** 2 / 474.0 ** 2
    r, c = (s // looks * looks for s in sigma0.shape)
    ml = sigma0[:r, :c].reshape(r // looks, looks, c // looks, looks).mean(axis=(1, 3))
    np.save(product, (10 * np.log10(np.maximum(ml, 1e-6))).astype(np.float32))
    with open(product + ".done.tmp", "w") as f:
        json.dump({"scene": os.path.basename(scene), "looks": looks, "shape": ml.shape}, f)
    os.rename(product + ".done.tmp", product + ".done")


def wait_for_product(job, product, timeout):
    marker = product + ".done"
    end = time.monotonic() + timeout
    while not os.path.exists(marker):
        if job.exitcode not in (None, 0):
            raise RuntimeError(f"graph failed with {job.exitcode}")
        if time.monotonic() > end:
            job.terminate()
            raise TimeoutError(product)
        time.sleep(0.5)
    with open(marker) as f:
        return json.load(f)


def summarise(product):
    db = np.load(product)
    lo, mid, hi = np.percentile(db, [5, 50, 95])
    return {"p05": round(float(lo), 4), "p50": round(float(mid), 4), "p95": round(float(hi), 4)}


def process(scene, outdir, looks, timeout):
    product = os.path.join(outdir, os.path.basename(scene).replace("GRDH", "SIGMA0"))
    job = mp.Process(target=run_graph, args=(scene, product, looks))
    job.start()
    info = wait_for_product(job, product, timeout)
    job.join()
    return {**info, **summarise(product)}


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("grd")
    ap.add_argument("--outdir", default="sigma0")
    ap.add_argument("--looks", type=int, default=4)
    ap.add_argument("--timeout", type=float, default=60.0)
    a = ap.parse_args()
    scenes = sorted(glob.glob(os.path.join(a.grd, "*.npy")))
    if not scenes:
        sys.exit(f"no scenes in {a.grd}")
    os.makedirs(a.outdir, exist_ok=True)
    report = []
    for s in scenes:
        try:
            report.append(process(s, a.outdir, a.looks, a.timeout))
        except (RuntimeError, TimeoutError) as e:
            print(f"{s}: {e}", file=sys.stderr)
    for r in report:
        print(r["scene"], r["shape"], r["p05"], r["p50"], r["p95"])
    with open(os.path.join(a.outdir, "report.json"), "w") as f:
        json.dump(report, f, indent=1)


if __name__ == "__main__":
    main()
