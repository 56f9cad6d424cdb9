#!/usr/bin/env python3
"""Ship detection on SAR chips, the scores coming from a detector card.

Structure after the PyTorch ImageNet example's validate() (loader, step on the
device, meters). The card is driven by a process of its own and takes a fixed
time a batch; here it is stood in for by a process that keeps that rate.
"""
import argparse
import glob
import multiprocessing as mp
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from PIL import Image


def card(conn, seconds):
    """Detector process: contrast of each cell with its chip, at the card's rate."""
    while True:
        batch = conn.recv()
        if batch is None:
            return
        due = time.monotonic() + seconds
        scores = batch[:, 0] - batch[:, 1].mean(axis=(1, 2), keepdims=True)
        time.sleep(max(0.0, due - time.monotonic()))
        conn.send(scores)


def decode(path):
    """Calibrated chip as maxima and means of its 16x16 pixel cells (float32)."""
    with Image.open(path) as im:
        a = np.asarray(im, dtype=np.float32)
    low = np.partition(a.ravel(), a.size // 2)[a.size // 2]
    a = (a - low) / (np.abs(a - low).mean() + 1.0)
    cells = a.reshape(48, 16, 48, 16)
    return np.stack([cells.max(axis=(1, 3)), cells.mean(axis=(1, 3))])


def decode_batch(paths):
    return np.stack([decode(p) for p in paths])


def load_batches(paths, size):
    groups = [paths[s:s + size] for s in range(0, len(paths), size)]
    with mp.Pool(2) as pool:
        yield from pool.imap(decode_batch, groups)


def detect(scores, threshold):
    return [np.argwhere(s > threshold) for s in scores]


def validate(paths, conn, size, threshold):
    found = []
    for batch in load_batches(paths, size):
        conn.send(batch)
        found.extend(detect(conn.recv(), threshold))
    conn.send(None)
    return found


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("chips")
    ap.add_argument("--batch", type=int, default=6)
    ap.add_argument("--card-seconds", type=float, default=0.055)
    ap.add_argument("--threshold", type=float, default=12.0)
    ap.add_argument("--out", default="detections.csv")
    a = ap.parse_args()
    paths = sorted(glob.glob(os.path.join(a.chips, "*.png")))
    if not paths:
        sys.exit(f"no chips in {a.chips}")
    here, there = mp.Pipe()
    dev = mp.Process(target=card, args=(there, a.card_seconds), daemon=True)
    dev.start()
    found = validate(paths, here, a.batch, a.threshold)
    dev.join()
    with open(a.out, "w") as f:
        f.write("chip,row,col\n")
        for p, boxes in zip(paths, found):
            for r, c in boxes:
                f.write(f"{os.path.basename(p)},{r*16},{c*16}\n")
    print(f"{len(paths)} chips, {sum(len(b) for b in found)} detections")


if __name__ == "__main__":
    main()
