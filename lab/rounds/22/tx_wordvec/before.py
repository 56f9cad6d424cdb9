#!/usr/bin/env python3
"""Nearest neighbours in word2vec binary embeddings.

The reader follows the load loop of distance.c (word2vec) and of early
gensim versions of load_word2vec_format.
"""
import argparse
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np


class FormatError(Exception):
    pass


def read_header(f):
    head = b""
    while not head.endswith(b"\n"):
        ch = f.read(1)
        if not ch:
            raise FormatError("end of file in header")
        head += ch
    try:
        n, dim = map(int, head.split())
    except ValueError:
        raise FormatError(f"bad header {head!r}") from None
    return n, dim


def read_word(f):
    chars = []
    while True:
        ch = f.read(1)
        if not ch:
            raise FormatError("end of file inside a word")
        if ch == b" ":
            return b"".join(chars).decode("utf-8", "replace")
        if ch != b"\n":
            chars.append(ch)


def load_vectors(path):
    vocab = {}
    with open(path, "rb", buffering=0) as f:
        n, dim = read_header(f)
        matrix = np.empty((n, dim), dtype=np.float32)
        nbytes = 4 * dim
        for i in range(n):
            word = read_word(f)
            raw = f.read(nbytes)
            if len(raw) != nbytes:
                raise FormatError(f"vector of {word} is cut off")
            matrix[i] = np.frombuffer(raw, dtype="<f4")
            vocab[word] = i
    return vocab, matrix


def normalise(m):
    m /= np.linalg.norm(m, axis=1, keepdims=True) + 1e-12
    return m


def neighbours(matrix, row, k):
    sims = matrix @ matrix[row]
    sims[row] = -1
    best = np.argpartition(-sims, k)[:k]
    best = best[np.lexsort((best, -sims[best]))]
    return [(int(b), float(sims[b])) for b in best]


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("vectors")
    ap.add_argument("--queries", required=True)
    ap.add_argument("--out", default="neighbours.tsv")
    ap.add_argument("-k", type=int, default=5)
    args = ap.parse_args()
    try:
        vocab, matrix = load_vectors(args.vectors)
    except (OSError, FormatError) as exc:
        print(f"{args.vectors}: {exc}", file=sys.stderr)
        return 1
    normalise(matrix)
    words = list(vocab)
    unknown = 0
    with open(args.queries) as q, open(args.out, "w") as out:
        for line in q:
            w = line.strip()
            if w not in vocab:
                unknown += 1
                continue
            for b, s in neighbours(matrix, vocab[w], args.k):
                out.write(f"{w}\t{words[b]}\t{s:.4f}\n")
    print(f"{len(words)} words, {matrix.shape[1]} dimensions, {unknown} unknown queries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
