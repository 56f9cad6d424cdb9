#!/usr/bin/env python3
"""Cluster documents of gzipped jsonl shards by sim-hash, with a process pool."""
import argparse
import gzip
import hashlib
import json
import multiprocessing as mp
import sys
from collections import defaultdict
from pathlib import Path

BITS = 64
BAND = 16


def token_hash(token):
    return int.from_bytes(hashlib.blake2b(token.encode(), digest_size=8).digest(), "big")


def simhash(text):
    toks = text.split()
    sums = [0] * BITS
    for a, b in zip(toks, toks[1:]):
        h = token_hash(a + " " + b)
        for bit in range(BITS):
            sums[bit] += 1 if h >> bit & 1 else -1
    return sum(1 << bit for bit, s in enumerate(sums) if s > 0)


def hash_shard(path):
    out = []
    try:
        with gzip.open(path, "rt", encoding="utf-8") as f:
            for line in f:
                rec = json.loads(line)
                out.append((rec["id"], simhash(rec["text"])))
    except (OSError, EOFError, ValueError) as exc:
        return path, out, str(exc)
    return path, out, None


def cluster(hashes, limit):
    """Union of documents that share a band and differ in at most `limit` bits."""
    parent = list(range(len(hashes)))

    def find(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    bands = defaultdict(list)
    for i, (_, h) in enumerate(hashes):
        for b in range(0, BITS, BAND):
            bands[b, h >> b & (1 << BAND) - 1].append(i)
    for members in bands.values():
        for j in members[1:]:
            if (hashes[members[0]][1] ^ hashes[j][1]).bit_count() <= limit:
                parent[find(j)] = find(members[0])
    groups = defaultdict(list)
    for i, (doc, _) in enumerate(hashes):
        groups[find(i)].append(doc)
    return sorted(g for g in groups.values() if len(g) > 1)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("folder", type=Path)
    ap.add_argument("--workers", type=int, default=2)
    ap.add_argument("--limit", type=int, default=6)
    ap.add_argument("--out", default="clusters.json")
    args = ap.parse_args()
    shards = sorted(map(str, args.folder.glob("cc-*.jsonl.gz")))
    hashes, failed = [], 0
    with mp.Pool(args.workers) as pool:
        for path, part, err in pool.imap(hash_shard, shards):
            if err:
                failed += 1
                print(f"{path}: {err}", file=sys.stderr)
            hashes.extend(part)
    groups = cluster(hashes, args.limit)
    with open(args.out, "w") as f:
        json.dump(groups, f, indent=1)
    print(f"{len(hashes)} documents, {len(groups)} clusters, {failed} damaged shards")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
