"""k-mer spectrum of a genome: how often does each word of K bases occur?

The sequence is scanned in blocks; consecutive blocks share K-1 bases, so that
no word across a border is lost. Also computes the GC content in windows.
"""
import math
import sys

import numpy as np

GENOME = "genome.seq"
K = 9
BLOCK = 1 << 20            # bases
WINDOW = 10000

CODE = np.full(256, 255, np.uint8)
for number, base in enumerate(b"ACGT"):
    CODE[base] = number


def blocks(path):
    """Yield encoded blocks which overlap by K-1 bases."""
    with open(path, "rb", buffering=0) as f:
        f.seek(0, 2)
        size = f.tell()
        start = 0
        while start < size:
            f.seek(start)
            yield start, CODE[np.frombuffer(f.read(BLOCK + K - 1), np.uint8)]
            start += BLOCK


def count_words(code, counts):
    n = len(code) - K + 1
    word = np.zeros(n, np.int64)
    for j in range(K):
        word = 4 * word + code[j:j + n]
    valid = np.ones(n, bool)
    bad = code == 255
    if bad.any():
        for j in range(K):
            valid &= ~bad[j:j + n]
        word = word[valid]
    counts += np.bincount(word, minlength=4 ** K)


def gc_windows(code):
    n = len(code) // WINDOW
    gc = (code[:n * WINDOW] == 1) | (code[:n * WINDOW] == 2)
    return gc.reshape(n, WINDOW).mean(axis=1)


def reverse_complement(word):
    out = np.zeros_like(word)
    w = word.copy()
    for _ in range(K):
        out = 4 * out + (3 - w % 4)
        w //= 4
    return out


def entropy(counts):
    p = counts[counts > 0] / counts.sum()
    return float(-(p * np.log2(p)).sum())


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else GENOME
    counts = np.zeros(4 ** K, np.int64)
    gc = []
    for start, code in blocks(path):
        count_words(code, counts)
        gc.append(gc_windows(code))
    words = np.arange(4 ** K)
    both = counts + counts[reverse_complement(words)]
    gc = np.concatenate(gc)
    multiplicity, number = np.unique(both, return_counts=True)
    with open("spectrum.txt", "w") as out:
        for m, n in zip(multiplicity, number):
            out.write(f"{m} {n}\n")
    print(f"{counts.sum()} words, entropy {entropy(counts):.4f} of {2 * K} bits, "
          f"GC {gc.mean():.4f} +- {gc.std() / math.sqrt(len(gc)):.4f}")


if __name__ == "__main__":
    main()
