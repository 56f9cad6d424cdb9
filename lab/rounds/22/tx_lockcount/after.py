#!/usr/bin/env python3
"""Count words of many shards with a few processes sharing one counts file.

FileLock is a small copy of the idea of tox-dev/filelock (acquire, poll interval).
"""
import argparse
import fcntl
import glob
import multiprocessing as mp
import os
import pickle
import re
import sys
import time
from collections import Counter

WORD = re.compile(r"\w+")


class Timeout(Exception):
    pass


class FileLock:
    def __init__(self, path, timeout=30.0, poll=0.05):
        self.path, self.timeout, self.poll = path, timeout, poll
        self.fd = None

    def __enter__(self):
        start = time.monotonic()
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.fd = fd
                return self
            except BlockingIOError:
                if time.monotonic() - start > self.timeout:
                    os.close(fd)
                    raise Timeout(self.path) from None
                time.sleep(self.poll)

    def __exit__(self, *exc):
        fcntl.flock(self.fd, fcntl.LOCK_UN)
        os.close(self.fd)
        self.fd = None


def count_shard(path):
    counts = Counter()
    with open(path, encoding="utf-8") as f:
        for line in f:
            counts.update(WORD.findall(line))
    return counts


def merge_counts(target, counts):
    with FileLock(target + ".lock"):
        try:
            with open(target, "rb") as f:
                total = pickle.load(f)
        except FileNotFoundError:
            total = Counter()
        total.update(counts)
        with open(target + ".new", "wb") as f:
            pickle.dump(total, f, protocol=4)
        os.replace(target + ".new", target)


def worker(paths, target):
    mine = Counter()
    for path in paths:
        mine.update(count_shard(path))
    merge_counts(target, mine)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("folder")
    ap.add_argument("--workers", type=int, default=2)
    ap.add_argument("--counts", default="counts.pkl")
    args = ap.parse_args()
    shards = sorted(glob.glob(os.path.join(args.folder, "part-*.txt")))
    if not shards:
        ap.error(f"no shards in {args.folder}")
    procs = [mp.Process(target=worker, args=(shards[i::args.workers], args.counts))
             for i in range(args.workers)]
    for p in procs:
        p.start()
    for p in procs:
        p.join()
    if any(p.exitcode for p in procs):
        print("a worker failed", file=sys.stderr)
        return 1
    with open(args.counts, "rb") as f:
        total = pickle.load(f)
    top = sorted(total.items(), key=lambda kv: (-kv[1], kv[0]))[:5]
    print(f"{len(shards)} shards, {sum(total.values())} tokens, {len(total)} types")
    print(" ".join(f"{w}:{n}" for w, n in top))
    return 0


if __name__ == "__main__":
    sys.exit(main())
