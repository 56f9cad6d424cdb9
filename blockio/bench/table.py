#!/usr/bin/env python3
"""The tables of blockio beside others, from the times that bench/run.sh wrote.

bench/table.py TIMES [PAGE]      prints the last one; writes all of them to PAGE
"""

import collections
import os
import statistics
import sys

# What the aim allows: blockio is slower than the best of the others by 5 % at most.
LEAST = 0.95
OTHERS = ["MPI-IO", "HDF5", "PnetCDF", "ADIOS2"]
STAGES = [
    "rank 0 reads elements",
    "rank 0 reads lines",
    "each rank reads elements",
    "each rank reads lines",
    "grouped (blockio)",
    "collective (blockio)",
    "chosen by blockio",
]
PLACES = {
    "tmpfs": "memory",
    "ext2/ext3": "disk (ext4)",
    "xfs": "disk (xfs)",
    "btrfs": "disk (btrfs)",
    "fuseblk": "GlusterFS",
    "UNKNOWN (0x65735546)": "GlusterFS",
}
MPIS = {"mpich": "MPICH", "openmpi": "Open MPI"}
HEAD = """# blockio beside others

`make bench-blockio` writes this page. Each ratio is the time of the other divided by that of \
[blockio](../blockio/README.md):
above 1, blockio is faster. The aim is 0.95 beside the best of the others in every row.

- {ranks} ranks on {cores} processors; load average {before} before and {after} after, with the load of the \
benchmark itself.
- In a round all of them write and read the same blocks, in an order that changes. The time is that from the \
first rank that
  begins to the last that ends. A ratio is the median of the ratios of single rounds; the noise is the
  95 % interval of that median for the best of the others (1.57 quartile ranges over the root of the rounds). \
Quickest: the same
  ratio of the least times of both.
- All arrays begin at byte 2,048 of their file, as HDF5 places them: the copy between a page of the file and
  memory is quicker or slower by how both are aligned ([blockio-local-files](../measurements/blockio-local-files.md)).
- ADIOS2 (from PyPI) has no MPI. It is compared where its file has the same bytes in the same order: slabs, where
  each rank has a file of its own with its block in one piece, and reads of a file in which one process wrote \
the whole array.
  It puts every block in one piece, whatever its shape: its writes are those of slabs, and the other writes \
have no like.
- PnetCDF of Debian uses Open MPI: no row with MPICH. Its elements are bytes, so that no time goes into swapping.
"""


def read(path):
    """Seconds by (place, MPI, blocks, direction), then by way, then by round."""
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(path) as lines:
        for line in lines:
            place, mpi, blocks, direction, way, number, seconds = line.rstrip("\n").split("\t")
            found[PLACES.get(place, place), MPIS[mpi], blocks, direction][way][int(number)] = float(seconds)
    return found


def ratio(other, own):
    """Median of the ratios of single rounds, and the 95 % interval of that median (McGill,
    Tukey and Larsen 1978)."""
    each = sorted(other[n] / own[n] for n in own)
    low, middle, high = statistics.quantiles(each, n=4)
    return middle, 1.57 * (high - low) / len(each) ** 0.5


def verdict(value, noise):
    if value >= LEAST:
        return "yes"
    return "within the noise" if value + noise >= LEAST else "**no**"


def beside(found):
    lines = [
        "| file system | MPI | blocks | does | rounds | " + " | ".join(OTHERS) + " | best | noise | quickest | 0.95 |",
        "|---|---|---|---|---:|" + "---:|" * len(OTHERS) + "---|---:|---:|---|",
    ]
    count = collections.Counter()
    for (place, mpi, blocks, direction), ways in found.items():
        if "blockio" not in ways:
            continue
        own = ways["blockio"]
        ratios = {way: ratio(times, own) for way, times in ways.items() if way != "blockio"}
        best = min(ratios, key=lambda way: ratios[way][0])
        value, noise = ratios[best]
        quickest = min(ways[best].values()) / min(own.values())
        each = " | ".join(f"{ratios[way][0]:.2f}" if way in ratios else "-" for way in OTHERS)
        says = verdict(value, noise)
        count[says] += 1
        lines.append(
            f"| {place} | {mpi} | {blocks} | {direction} | {len(own)} | {each} | "
            f"{best} | ±{noise:.2f} | {quickest:.2f} | {says} |"
        )
    lines.append(
        f"\n{count['yes']} of {sum(count.values())} rows reach 0.95, {count['within the noise']} may by the noise, "
        f"{count['**no**']} miss it."
    )
    return "\n".join(lines)


def code_p(found):
    columns = {(place, mpi): ways for (place, mpi, blocks, _), ways in found.items() if blocks == "Code P"}
    lines = [
        "## The stages of Code P\n",
        "Median time of a stage divided by that of the collective stage. "
        "Those of blockio include opening and planning.\n",
        "| stage | " + " | ".join(f"{place}, {mpi}" for place, mpi in columns) + " |",
        "|---|" + "---:|" * len(columns),
    ]
    for stage in STAGES:
        each = []
        for ways in columns.values():
            whole = statistics.median(ways["collective (blockio)"].values())
            each.append(f"{statistics.median(ways[stage].values()) / whole:.3g}")
        lines.append(f"| {stage} | " + " | ".join(each) + " |")
    return "\n".join(lines)


def main(times, page=None):
    found = read(times)
    if page is not None:
        facts = {name: os.environ.get(f"BENCH_{name.upper()}", "?") for name in ("ranks", "cores", "before", "after")}
        with open(page, "w") as file:
            file.write(f"{HEAD.format(**facts)}\n{beside(found)}\n\n{code_p(found)}\n")
    print(beside(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
