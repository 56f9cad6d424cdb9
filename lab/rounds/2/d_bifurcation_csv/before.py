"""Bifurcation diagram and Lyapunov exponents of the logistic map with noise."""
import csv
import sys

import numpy as np


def iterate(r, x, steps, rng):
    total = np.zeros_like(x)
    for _ in range(steps):
        x = r * x * (1.0 - x)
        x += 1e-9 * rng.standard_normal(x.size)
        np.clip(x, 1e-12, 1.0 - 1e-12, out=x)
        total += np.log(np.abs(r * (1.0 - 2.0 * x)) + 1e-300)
    return x, total / steps


def summarise(x):
    quart = np.quantile(x, [0.05, 0.5, 0.95])
    return [float(x.mean()), float(x.std()), *(float(q) for q in quart)]


def scan(path, n_values, walkers=4000, steps=60):
    rng = np.random.default_rng(2)
    chaotic = 0
    with open(path, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["r", "lyapunov", "mean", "std", "q05", "q50", "q95"])
        for r in np.linspace(3.4, 3.99, n_values):
            x = rng.uniform(0.05, 0.95, walkers)
            x, _ = iterate(r, x, steps // 2, rng)
            x, exponents = iterate(r, x, steps, rng)
            lyapunov = float(exponents.mean())
            chaotic += lyapunov > 0.0
            table.writerow([f"{r:.6f}", f"{lyapunov:.8f}"] + [f"{v:.8f}" for v in summarise(x)])
    return chaotic


def read_back(path):
    with open(path, newline="") as src:
        rows = list(csv.DictReader(src))
    return max(rows, key=lambda row: float(row["lyapunov"]))


def write_scan_notes(peak, chaotic, n_values):
    for name, value in (("peak_r", peak["r"]), ("peak_lyapunov", peak["lyapunov"]),
                        ("chaotic", chaotic), ("values", n_values)):
        with open(f"note_{name}.txt", "w") as out:
            print(value, file=out)


def main(n_values):
    chaotic = scan("logistic.csv", n_values)
    peak = read_back("logistic.csv")
    write_scan_notes(peak, chaotic, n_values)
    print(f"{chaotic} of {n_values} chaotic, strongest at r = {peak['r']}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 150)
