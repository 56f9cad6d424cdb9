"""Scores a transcription factor motif in the neighbourhood of ChIP peaks."""
import os
import sys

import numpy as np

MOTIF = np.array([
    [0.10, 0.70, 0.10, 0.10],
    [0.80, 0.05, 0.10, 0.05],
    [0.05, 0.85, 0.05, 0.05],
    [0.05, 0.05, 0.85, 0.05],
    [0.10, 0.10, 0.10, 0.70],
    [0.05, 0.05, 0.85, 0.05],
    [0.25, 0.15, 0.45, 0.15],
    [0.30, 0.30, 0.30, 0.10],
])
CODE = np.full(256, 0, dtype=np.intp)
for index, base in enumerate(b"ACGT"):
    CODE[base] = index


class Genome:
    """Sequence of one chromosome, fetched by position."""

    def __init__(self, path):
        self.fd = os.open(path, os.O_RDONLY)
        self.size = os.fstat(self.fd).st_size

    def fetch(self, start, end):
        end = min(end, self.size)
        return os.pread(self.fd, end - start, start)

    def close(self):
        os.close(self.fd)


def read_peaks(path):
    with open(path) as f:
        for line in f:
            chrom, start, end, name = line.split()
            yield name, int(start), int(end)


def scan(codes, weights):
    """Log odds of the motif at each position of the sequence."""
    n = len(codes) - len(weights) + 1
    score = np.zeros(n)
    for offset, column in enumerate(weights):
        score += column[codes[offset:offset + n]]
    return score


def main():
    weights = np.log2(MOTIF / 0.25)
    reverse = weights[::-1, ::-1]
    genome = Genome("genome.seq")
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 7.0
    rows = []
    for name, start, end in read_peaks("peaks.bed"):
        codes = CODE[np.frombuffer(genome.fetch(start, end), dtype=np.uint8)]
        both = np.maximum(scan(codes, weights), scan(codes, reverse))
        gc = float(np.mean((codes == 1) | (codes == 2)))
        rows.append((name, start + int(both.argmax()), both.max(), int((both > limit).sum()), gc))
    genome.close()

    rows.sort(key=lambda r: (-r[3], r[1]))
    with open("motifs.tsv", "w") as out:
        for name, where, best, hits, gc in rows:
            out.write("%s\t%d\t%.5f\t%d\t%.5f\n" % (name, where, best, hits, gc))
    print("%d peaks, %d hits, best peak %s" % (len(rows), sum(r[3] for r in rows), rows[0][0]))


if __name__ == "__main__":
    main()
