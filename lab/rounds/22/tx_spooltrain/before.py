#!/usr/bin/env python3
"""Sentiment classifier: one process prepares batches, the other trains on them."""
import argparse
import json
import multiprocessing as mp
import os
import sys
import time
import zlib

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

DIM = 1024
POLL = 0.05


def features(texts):
    x = np.zeros((len(texts), DIM + 1), dtype=np.float32)
    for row, text in zip(x, texts):
        toks = text.split()
        for a, b in zip(toks, toks[1:] + ["</s>"]):
            row[zlib.crc32(a.encode()) % DIM] += 1
            row[zlib.crc32((a + "_" + b).encode()) % DIM] += 1
        row[DIM] = 1
    return x


def batch_name(spool, k):
    return os.path.join(spool, f"batch_{k:05d}.npy")


def put_batch(spool, k, x):
    path = batch_name(spool, k)
    while os.path.exists(batch_name(spool, k - 1)):
        time.sleep(POLL)
    with open(path + ".part", "wb") as f:
        np.save(f, x)
    os.rename(path + ".part", path)


def get_batch(spool, k):
    path = batch_name(spool, k)
    while not os.path.exists(path):
        time.sleep(POLL)
    x = np.load(path)
    os.remove(path)
    return x


def load_loop(source, spool, size):
    texts, labels, k = [], [], 0
    with open(source) as f:
        for line in f:
            rec = json.loads(line)
            texts.append(rec["text"])
            labels.append(rec["label"])
            if len(texts) == size:
                put_batch(spool, k, np.column_stack([features(texts), labels]).astype("f4"))
                texts, labels, k = [], [], k + 1
    put_batch(spool, k, np.zeros((0, DIM + 2), dtype=np.float32))


def train(spool, lr=0.05):
    w = np.zeros(DIM + 1)
    seen = right = k = 0
    while True:
        data = get_batch(spool, k)
        if not len(data):
            return w, seen, right
        x, y = data[:, :-1].astype("f8"), data[:, -1]
        p = 1 / (1 + np.exp(-(x @ w)))
        right += int(((p > 0.5) == (y > 0.5)).sum())
        seen += len(y)
        for _ in range(5):
            p = 1 / (1 + np.exp(-(x @ w)))
            w -= lr * (x.T @ (p - y)) / len(y)
        k += 1


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("source")
    ap.add_argument("--batch", type=int, default=200)
    ap.add_argument("--spool", default="spool")
    args = ap.parse_args()
    os.makedirs(args.spool, exist_ok=True)
    loader = mp.Process(target=load_loop, args=(args.source, args.spool, args.batch), daemon=True)
    loader.start()
    w, seen, right = train(args.spool)
    loader.join()
    print(f"{seen} reviews, progressive accuracy {right / max(seen, 1):.4f}, |w| {np.abs(w).sum():.5f}")
    return loader.exitcode


if __name__ == "__main__":
    sys.exit(main())
