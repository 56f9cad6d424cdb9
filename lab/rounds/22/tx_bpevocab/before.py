#!/usr/bin/env python3
"""Learn byte-pair merges from a table of word counts.

The learning loop follows learn_bpe.py of rsennrich/subword-nmt.
"""
import argparse
import json
import os
import sys
from collections import Counter, defaultdict


def read_counts(path):
    words = []
    with open(path, encoding="utf-8") as f:
        for no, line in enumerate(f, 1):
            parts = line.rstrip("\n").split("\t")
            if len(parts) != 2:
                raise ValueError(f"{path}:{no}: expected 'word<TAB>count'")
            words.append((tuple(parts[0]), int(parts[1])))
    return words


def pair_statistics(words):
    stats = Counter()
    where = defaultdict(set)
    for i, (w, n) in enumerate(words):
        for a, b in zip(w, w[1:]):
            stats[a, b] += n
            where[a, b].add(i)
    return stats, where


def merge_word(word, pair):
    out, i = [], 0
    while i < len(word):
        if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
            out.append(word[i] + word[i + 1])
            i += 2
        else:
            out.append(word[i])
            i += 1
    return tuple(out)


def apply_merge(words, pair, stats, where):
    for i in list(where[pair]):
        old, n = words[i]
        new = merge_word(old, pair)
        for p in zip(old, old[1:]):
            stats[p] -= n
            where[p].discard(i)
        for p in zip(new, new[1:]):
            stats[p] += n
            where[p].add(i)
        words[i] = (new, n)
    del stats[pair]


class Model:
    def __init__(self, folder, symbols):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.vocab = {s: i for i, s in enumerate(sorted(symbols))}
        self.merges = []

    def add(self, pair):
        self.merges.append(pair)
        self.vocab.setdefault("".join(pair), len(self.vocab))

    def save(self):
        path = os.path.join(self.folder, "vocab.json")
        with open(path + ".tmp", "w", encoding="utf-8") as f:
            f.write(json.dumps(self.vocab, ensure_ascii=False, indent=0))
        os.replace(path + ".tmp", path)
        with open(os.path.join(self.folder, "merges.txt"), "w", encoding="utf-8") as f:
            f.write("#version: 0.2\n")
            f.writelines(f"{a} {b}\n" for a, b in self.merges)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("counts")
    ap.add_argument("--merges", type=int, default=200)
    ap.add_argument("--model", default="model")
    args = ap.parse_args()
    words = read_counts(args.counts)
    model = Model(args.model, {c for w, _ in words for c in w})
    stats, where = pair_statistics(words)
    for _ in range(args.merges):
        if not stats:
            break
        best = max(stats, key=lambda p: (stats[p], p))
        if stats[best] < 2:
            break
        apply_merge(words, best, stats, where)
        model.add(best)
        model.save()
    print(f"{len(model.vocab)} symbols, {len(model.merges)} merges, last {' '.join(model.merges[-1])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
