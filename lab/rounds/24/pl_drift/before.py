"""Genetic drift with selection: a Moran chain simulated by an awk child, summarised here.

Driver structure as in wrappers of simulators such as ms or SLiM (parameters in, text out, one process).
usage: drift.py --size N --steps STEPS --seed SEED --out drift.tsv
"""
import argparse
import subprocess
import sys

MODEL = r"""
# Moran process of one locus: every step depends on the state before
BEGIN {
    x = int(size / 2); u = seed
    for (t = 1; t <= steps; t++) {
        u = (u * 16807) % 2147483647
        p = x * (1 + s) / (x * (1 + s) + size - x)
        born = (u / 2147483647 < p)
        u = (u * 16807) % 2147483647
        dead = (u / 2147483647 < x / size)
        x += born - dead
        if (x == 0 || x == size) { print "fixed", t, x; fixed++; x = int(size / 2) }
        if (t % every == 0) print "state", t, x
    }
    print "end", steps, fixed + 0
}
"""


def simulate(options):
    command = ["awk", "-v", f"size={options.size}", "-v", f"steps={options.steps}",
               "-v", f"seed={options.seed}", "-v", f"s={options.selection}",
               "-v", f"every={options.every}", MODEL]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"drift: simulator failed: {done.stderr.strip()}")
    return [line.split() for line in done.stdout.splitlines()]


def summarise(records, size):
    states = [(int(t), int(x)) for kind, t, x in records if kind == "state"]
    fixed = [(int(t), int(x)) for kind, t, x in records if kind == "fixed"]
    mean = sum(x for _, x in states) / (len(states) * size)
    het = sum(2 * (x / size) * (1 - x / size) for _, x in states) / len(states)
    gained = sum(1 for _, x in fixed if x == size)
    return states, mean, het, gained, len(fixed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=400)
    parser.add_argument("--steps", type=int, default=4000000)
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("--selection", type=float, default=0.002)
    parser.add_argument("--every", type=int, default=2000)
    parser.add_argument("--out", default="drift.tsv")
    options = parser.parse_args()
    if options.seed <= 0:
        sys.exit("drift: the seed must be positive")
    states, mean, het, gained, fixations = summarise(simulate(options), options.size)
    with open(options.out, "w") as out:
        out.write("step\tcopies\n")
        out.writelines(f"{t}\t{x}\n" for t, x in states)
    print(f"frequency {mean:.4f} heterozygosity {het:.4f} fixations {fixations} gained {gained}")


if __name__ == "__main__":
    main()
