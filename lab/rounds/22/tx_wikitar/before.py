#!/usr/bin/env python3
"""Near duplicates among the articles of a tar archive (min-hash with banding)."""
import argparse
import sys
import tarfile
import zlib
from collections import defaultdict

import numpy as np

PRIME = (1 << 31) - 1
SHINGLE = 4


class MinHasher:
    def __init__(self, permutations=64, seed=11):
        rng = np.random.default_rng(seed)
        self.a = rng.integers(1, PRIME, permutations, dtype=np.int64)[:, None]
        self.b = rng.integers(0, PRIME, permutations, dtype=np.int64)[:, None]

    def signature(self, words):
        grams = {zlib.crc32(" ".join(words[i:i + SHINGLE]).encode()) & 0x3FFFFFFF
                 for i in range(max(1, len(words) - SHINGLE + 1))}
        h = np.fromiter(grams, dtype=np.int64, count=len(grams))
        return ((self.a * h + self.b) % PRIME).min(1)


def articles(path):
    """Yield (name, words) in the order of the archive."""
    with tarfile.open(path, "r|") as tar:
        for info in tar:
            if not info.isfile():
                continue
            data = tar.extractfile(info).read()
            try:
                yield info.name, data.decode("utf-8").split()
            except UnicodeDecodeError as exc:
                print(f"{info.name}: {exc}", file=sys.stderr)


def candidates(sigs, rows=8):
    buckets = defaultdict(list)
    for i, sig in enumerate(sigs):
        for band in range(0, len(sig), rows):
            buckets[band, sig[band:band + rows].tobytes()].append(i)
    pairs = set()
    for members in buckets.values():
        for k, i in enumerate(members):
            pairs.update((i, j) for j in members[k + 1:])
    return sorted(pairs)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("tar")
    ap.add_argument("--pairs", default="near.tsv")
    ap.add_argument("--threshold", type=float, default=0.8)
    args = ap.parse_args()
    hasher = MinHasher()
    names, sigs = [], []
    for name, words in articles(args.tar):
        names.append(name)
        sigs.append(hasher.signature(words))
    kept = 0
    with open(args.pairs, "w") as out:
        for i, j in candidates(sigs):
            sim = float((sigs[i] == sigs[j]).mean())
            if sim >= args.threshold:
                out.write(f"{names[i]}\t{names[j]}\t{sim:.3f}\n")
                kept += 1
    print(f"{len(names)} articles, {kept} near duplicates")
    return 0


if __name__ == "__main__":
    sys.exit(main())
