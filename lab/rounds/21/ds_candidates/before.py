#!/usr/bin/env python
"""Candidate generation: top items of every user by inner product.

Item vectors are in a flat float32 file that is mapped into memory.  A random
sample of items calibrates the score threshold of each user; after that all
items are scored block by block and the best ones are kept.
"""
import argparse

import numpy as np

DIM = 128
BLOCK = 10000
TOP = 50


def open_items(path):
    return np.memmap(path, dtype=np.float32, mode="r").reshape(-1, DIM)


def threshold(items, users, rng, sample=2000):
    """Score that roughly one in two hundred items passes."""
    picks = np.sort(rng.choice(len(items), sample, replace=False))
    scores = users @ items[picks].T
    return np.quantile(scores, 0.995, axis=1)


def merge_top(best_s, best_i, scores, start, limit):
    """Merge a block of scores into the best TOP of each user."""
    for u in range(len(scores)):
        hit = np.flatnonzero(scores[u] > limit[u])
        s = np.concatenate([best_s[u], scores[u, hit]])
        i = np.concatenate([best_i[u], hit + start])
        order = np.argsort(-s, kind="stable")[:TOP]
        best_s[u, :len(order)] = s[order]
        best_i[u, :len(order)] = i[order]


def candidates(items, users, limit):
    best_s = np.full((len(users), TOP), -np.inf, np.float32)
    best_i = np.full((len(users), TOP), -1, np.int64)
    for start in range(0, len(items), BLOCK):
        scores = users @ items[start:start + BLOCK].T
        merge_top(best_s, best_i, scores, start, limit)
    return best_s, best_i


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("items")
    ap.add_argument("users")
    args = ap.parse_args()
    items = open_items(args.items)
    users = np.load(args.users)
    users /= np.linalg.norm(users, axis=1, keepdims=True)
    limit = threshold(items, users, np.random.default_rng(1))

    totals = np.zeros(len(items), np.int64)
    best_s, best_i = candidates(items, users, limit)
    np.add.at(totals, best_i[best_i >= 0], 1)
    np.savez("candidates.npz", scores=best_s, items=best_i)
    print("users", len(users), "items", len(items))
    print(f"mean best score {best_s[:, 0].mean():.3f}, last {best_s[:, -1].mean():.3f}")
    print("items ever proposed", int((totals > 0).sum()))


if __name__ == "__main__":
    main()
