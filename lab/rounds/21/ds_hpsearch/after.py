#!/usr/bin/env python
"""Random search over the hyper-parameters of a matrix factorisation.

Each trial runs a short proxy training, and its parameters, learning curve
and held-out scores go to the study file, so that a search that was stopped
can go on and the notebook can plot every curve.
"""
import argparse
import os
import pickle

import numpy as np


class Study:
    """The trials of a search, kept in a file."""

    def __init__(self, path):
        self.path = path
        self.trials = []
        self.file = open(path, "wb")

    def add(self, trial):
        self.trials.append(trial)
        pickle.dump(trial, self.file, protocol=4)
        self.file.flush()

    def best(self):
        return min(self.trials, key=lambda t: t["loss"])


def load_trials(path):
    trials = []
    size = os.path.getsize(path)
    with open(path, "rb") as f:
        while f.tell() < size:
            trials.append(pickle.load(f))
    return trials


def suggest(rng):
    return {"lr": float(10 ** rng.uniform(-4, -1)),
            "rank": int(rng.choice([8, 16, 32, 64])),
            "reg": float(10 ** rng.uniform(-6, -2)),
            "dropout": float(rng.uniform(0, 0.5))}


def objective(params, rng, users=2500, steps=400):
    """Proxy training: noisy convergence, per-user scores on held-out data."""
    rate = params["lr"] * 30 / (1 + params["lr"] * 200 * params["dropout"])
    t = np.arange(steps)
    floor = 0.3 + 3 * params["reg"] + 1.0 / (4 + params["rank"])
    curve = floor + np.exp(-rate * t / 10) + rng.normal(0, 0.01, steps)
    scores = rng.beta(2, 2 + 4 * curve[-1], users)
    return {"params": params, "curve": curve, "scores": scores,
            "loss": float(curve[-20:].mean() - 0.05 * scores.mean())}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("study")
    ap.add_argument("--trials", type=int, default=240)
    args = ap.parse_args()

    rng = np.random.default_rng(77)
    study = Study(args.study)
    for _ in range(args.trials):
        params = suggest(rng)
        study.add(objective(params, rng))

    stored = load_trials(args.study)
    best = study.best()
    print("stored trials", len(stored))
    print("mean loss %.6f" % np.mean([t["loss"] for t in stored]))
    print("best loss %.6f" % best["loss"])
    print("best parameters", {k: round(v, 6) for k, v in best["params"].items()})
    print("score of all users %.6f" % np.mean([t["scores"].mean() for t in stored]))


if __name__ == "__main__":
    main()
