#!/usr/bin/env python3
"""The table of blockio beside others, from the times that bench/run.sh wrote.

    bench/table.py TIMES            prints it as Markdown
"""
import collections
import statistics
import sys

# What the aim allows: blockio is slower than the best of the others by 5 % at most.
LEAST = 0.95


def read(path):
    """Seconds by (place, MPI, blocks, direction), then by way, then by round."""
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(path) as lines:
        for line in lines:
            place, mpi, blocks, direction, way, number, seconds = line.rstrip("\n").split("\t")
            found[place, mpi, blocks, direction][way][int(number)] = float(seconds)
    return found


def ratio(other, own):
    """Median of the ratios of single rounds, and the 95 % interval of that median (McGill,
    Tukey and Larsen 1978: 1.57 quartile ranges over the root of the number)."""
    each = sorted(other[n] / own[n] for n in own)
    low, middle, high = statistics.quantiles(each, n=4)
    return middle, 1.57 * (high - low) / len(each) ** 0.5


def verdict(value, noise):
    if value >= LEAST:
        return "yes"
    return "within the noise" if value + noise >= LEAST else "no"


def rows(found):
    for (place, mpi, blocks, direction), ways in found.items():
        if "blockio" not in ways:
            continue
        own = ways.pop("blockio")
        ratios = {way: ratio(times, own) for way, times in ways.items()}
        best = min(ratios, key=lambda way: ratios[way][0])
        quickest = min(ways[best].values()) / min(own.values())
        yield place, mpi, blocks, direction, len(own), ratios, best, quickest, verdict(*ratios[best])


def table(found):
    others = ["MPI-IO", "HDF5", "PnetCDF", "ADIOS2"]
    print("| file system | MPI | blocks | does | " + " | ".join(others) + " | best of them | noise | quickest | 0.95 reached |")
    print("|---|---|---|---|" + "---:|" * len(others) + "---|---:|---:|---|")
    count = collections.Counter()
    for place, mpi, blocks, direction, _, ratios, best, quickest, says in rows(found):
        each = " | ".join(f"{ratios[way][0]:.2f}" if way in ratios else "-" for way in others)
        print(f"| {place} | {mpi} | {blocks} | {direction} | {each} | {best} | ±{ratios[best][1]:.2f} | {quickest:.2f} | {says} |")
        count[says] += 1
    print(f"\n{count['yes']} of {sum(count.values())} rows reach 0.95, {count['within the noise']} may by the noise, {count['no']} miss it.")


if __name__ == "__main__":
    table(read(sys.argv[1]))
