#!/usr/bin/env python
"""Build user feature vectors for the nightly evaluation cohort.

The interaction history lives in an SQLite feature store that is filled by
the event collector in order of arrival.  For every user of the cohort we
compute recency, mean weight, number of distinct items and an exponentially
decayed activity, and put them into one matrix for the ranker.
"""
import argparse
import math
import sqlite3

import numpy as np

HALF_LIFE = 86400.0


class FeatureStore:
    """Read access to the interactions of users."""

    def __init__(self, path):
        self.con = sqlite3.connect(path)
        self.now = self.con.execute(
            "SELECT ts FROM interactions ORDER BY rowid DESC LIMIT 1").fetchone()[0]

    def history(self, users):
        """Yield (user, [(item, ts, weight), ...]) in the order of users."""
        marks = ",".join("?" * len(users))
        found = {user: [] for user in users}
        for user, item, ts, weight in self.con.execute(
                "SELECT user_id, item_id, ts, weight FROM interactions"
                f" WHERE user_id IN ({marks})", users):
            found[user].append((item, ts, weight))
        for user in users:
            yield user, sorted(found[user], key=lambda r: r[1])

    def close(self):
        self.con.close()


def features(rows, now):
    """Recency in hours, mean weight, distinct items, decayed activity."""
    if not rows:
        return [0.0, 0.0, 0.0, 0.0]
    recency = (now - rows[-1][1]) / 3600.0
    mean = sum(r[2] for r in rows) / len(rows)
    distinct = len({r[0] for r in rows})
    decayed = sum(math.exp(-(now - r[1]) / HALF_LIFE) * r[2] for r in rows)
    return [recency, mean, float(distinct), decayed]


def cohort(size, seed):
    rng = np.random.default_rng(seed)
    return [int(u) for u in rng.choice(6000, size=size, replace=False)]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("db")
    ap.add_argument("--cohort", type=int, default=70)
    ap.add_argument("--seed", type=int, default=3)
    args = ap.parse_args()

    store = FeatureStore(args.db)
    users = cohort(args.cohort, args.seed)
    matrix = np.zeros((len(users), 4))
    for k, (user, rows) in enumerate(store.history(users)):
        matrix[k] = features(rows, store.now)
    store.close()

    # standardise as the ranker expects it
    std = matrix.std(axis=0)
    z = (matrix - matrix.mean(axis=0)) / np.where(std > 0, std, 1)
    print("cohort of", len(users), "users")
    print("means  ", " ".join(f"{v:.5f}" for v in matrix.mean(axis=0)))
    print("largest", " ".join(f"{v:.4f}" for v in z.max(axis=0)))


if __name__ == "__main__":
    main()
