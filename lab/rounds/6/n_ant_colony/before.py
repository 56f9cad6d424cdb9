"""Ant colony search for a short tour, with a progress journal and a rolling backup of the best tour."""
import json
import os
import sys

import numpy as np


def make_cities(rng, n):
    points = rng.uniform(0.0, 100.0, (n, 2))
    delta = points[:, None, :] - points[None, :, :]
    return points, np.sqrt((delta ** 2).sum(axis=2)) + 1e-9


def build_tours(rng, trail, closeness, ants):
    n = len(trail)
    tours = np.zeros((ants, n), dtype=np.int64)
    tours[:, 0] = rng.integers(0, n, ants)
    seen = np.zeros((ants, n), dtype=bool)
    rows = np.arange(ants)
    seen[rows, tours[:, 0]] = True
    desire = trail * closeness
    for k in range(1, n):
        weight = np.where(seen, 0.0, desire[tours[:, k - 1]])
        total = weight.cumsum(axis=1)
        pick = rng.uniform(0.0, 1.0, ants) * total[:, -1]
        tours[:, k] = np.minimum((total < pick[:, None]).sum(axis=1), n - 1)
        seen[rows, tours[:, k]] = True
    return tours


def lengths(tours, distance):
    return distance[tours, np.roll(tours, -1, axis=1)].sum(axis=1)


def reinforce(trail, tours, length):
    trail *= 0.92
    for tour, value in zip(tours, length):
        trail[tour, np.roll(tour, -1)] += 20.0 / value


def keep_best(tour, length, generation):
    with open("best.tmp", "w") as out:
        json.dump({"generation": generation, "length": float(length), "tour": tour.tolist()}, out)
    os.replace("best.tmp", "best.json")


def main():
    generations = int(sys.argv[1]) if len(sys.argv) > 1 else 130
    rng = np.random.default_rng(23)
    points, distance = make_cities(rng, 120)
    closeness = distance.max() / distance ** 2
    np.fill_diagonal(closeness, 0.0)
    trail = np.ones_like(distance)
    best = np.inf
    with open("journal.jsonl", "w") as journal:
        for generation in range(generations):
            tours = build_tours(rng, trail, closeness, 60)
            length = lengths(tours, distance)
            reinforce(trail, tours, length)
            row = {"generation": generation, "mean": float(length.mean()), "least": float(length.min())}
            journal.write(json.dumps(row) + "\n")
            journal.flush()
            if length.min() < best:
                best = length.min()
                keep_best(tours[length.argmin()], best, generation)
    print("best tour %.2f after %d generations" % (best, generations))


if __name__ == "__main__":
    main()
