"""Overlap layout of simulated long reads: seeds per read, then chaining of seeds."""
import os
import sys
import tempfile

import numpy as np

K = 12
SEED_TYPE = np.dtype([("pos", "<i4"), ("code", "<i8")])


def simulate_reads(genome, count, length, rng):
    starts = np.sort(rng.integers(0, genome.size - length, size=count))
    for start in starts:
        read = genome[start:start + length].copy()
        errors = rng.integers(0, length, size=length // 50)
        read[errors] = (read[errors] + 1) % 4
        yield int(start), read


def kmer_codes(read):
    codes = np.zeros(read.size - K + 1, dtype=np.int64)
    for k in range(K):
        codes = codes * 4 + read[k:k + codes.size]
    return codes


def seed_stage(read, scratch):
    """Minimizers of one read, handed on as a scratch file."""
    codes = kmer_codes(read)
    chosen = np.flatnonzero(codes * 2654435761 % 1021 < 90)
    seeds = np.empty(chosen.size, dtype=SEED_TYPE)
    seeds["pos"] = chosen
    seeds["code"] = codes[chosen]
    with tempfile.NamedTemporaryFile(dir=scratch, suffix=".seeds", delete=False) as out:
        out.write(seeds.tobytes())
    return out.name


def chain_stage(path, previous):
    """Shared seeds with the read before it, and the most frequent diagonal."""
    with open(path, "rb") as src:
        seeds = np.frombuffer(src.read(), dtype=SEED_TYPE)
    os.unlink(path)
    if previous is None:
        return seeds, 0, 0
    order = np.argsort(previous["code"])
    place = np.searchsorted(previous["code"], seeds["code"], sorter=order)
    place = np.minimum(place, order.size - 1)
    match = previous["code"][order[place]] == seeds["code"]
    if not match.any():
        return seeds, 0, 0
    shift = previous["pos"][order[place[match]]] - seeds["pos"][match]
    shift.sort()
    return seeds, int(match.sum()), int(shift[shift.size // 2])


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 8000
    rng = np.random.default_rng(19)
    genome = rng.integers(0, 4, size=60_000, dtype=np.int8)
    scratch = tempfile.mkdtemp(prefix="seeds_", dir=".")
    previous, overlaps, shared, checksum = None, 0, 0, 0

    for start, read in simulate_reads(genome, count, 400, rng):
        path = seed_stage(read, scratch)
        previous, common, shift = chain_stage(path, previous)
        if common >= 3:
            overlaps += 1
            shared += common
            checksum += shift

    os.rmdir(scratch)
    print("reads", count, "overlaps", overlaps)
    print("shared seeds", shared, "layout length", checksum)


if __name__ == "__main__":
    main()
