"""Runs the estuary's sediment model for some discharges and tabulates them.

The model is a program of its own: it reads a deck, marches the bed equation
and leaves the bed levels and a log; the driver starts it and evaluates them.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import numpy as np


def model(deck_path):
    """The model proper: bed evolution by advection and diffusion."""
    with open(deck_path) as f:
        deck = json.load(f)
    n, steps = deck["cells"], deck["steps"]
    x = np.linspace(0, 1, n)
    bed = 0.2 * np.exp(-((x - 0.3) / 0.05) ** 2)
    with open(deck["log"], "w") as log:
        for step in range(steps):
            depth = 1.0 - bed
            flow = deck["discharge"] / depth
            flux = 1e-4 * flow ** 3
            bed[1:-1] -= deck["dt"] * (flux[1:-1] - flux[:-2]) * n / 50
            bed[1:-1] += 0.02 * (bed[2:] - 2 * bed[1:-1] + bed[:-2])
            if step % (steps // 10) == 0:
                log.write(f"{step} {bed.max():.8f}\n")
    bed.astype("<f8").tofile(deck["bed"])


def write_deck(folder, discharge, cells, steps):
    folder.mkdir(exist_ok=True)
    deck = {"cells": cells, "steps": steps, "dt": 0.02, "discharge": discharge,
            "log": str(folder / "model.log"), "bed": str(folder / "bed.bin")}
    path = folder / "deck.json"
    path.write_text(json.dumps(deck))
    return path, deck


def run_model(path):
    child = subprocess.Popen([sys.executable, __file__, "--deck", str(path)])
    if child.wait() != 0:
        raise SystemExit(f"{path}: the model failed")


def evaluate(deck):
    bed = np.fromfile(deck["bed"], dtype="<f8")
    history = np.loadtxt(deck["log"])
    return float(bed.max()), int(bed.argmax()), float(bed.sum()), len(history)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--deck", help="run the model itself on this deck")
    p.add_argument("--discharges", type=float, nargs="+", default=[0.6, 1.1])
    p.add_argument("--cells", type=int, default=4000)
    p.add_argument("--steps", type=int, default=15000)
    args = p.parse_args()
    if args.deck:
        model(args.deck)
        return

    rows = []
    for k, discharge in enumerate(args.discharges):
        path, deck = write_deck(pathlib.Path(f"run{k}"), discharge, args.cells, args.steps)
        run_model(path)
        rows.append((discharge, *evaluate(deck)))
    np.savetxt("runs.txt", rows, fmt="%.6g")
    for discharge, top, at, mass, n in rows:
        print(f"discharge {discharge:.2f}: crest {top:.6f} at cell {at}, mass {mass:.5f}, {n} log lines")


if __name__ == "__main__":
    main()
