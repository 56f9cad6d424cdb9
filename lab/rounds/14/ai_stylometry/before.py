"""Who wrote the letters?  Authorship by normalised compression distance.

NCD(x, y) = (C(xy) - min(C(x), C(y))) / max(C(x), C(y)),  C = compressed size.
The tree is joined by average linkage; the report tells the purity of the
three clusters with respect to the first letter of the file names.
"""
import bz2
import itertools
import sys
from collections import Counter
from pathlib import Path

LEVEL = 9
CLUSTERS = 3


def normalise(text):
    """lower case, no punctuation, single blanks"""
    keep = []
    for line in text.splitlines():
        words = (w.strip(".,;:!?") for w in line.lower().split())
        keep.append(" ".join(w for w in words if w))
    return " ".join(keep).encode()


def read_letters(folder, limit):
    letters = {}
    for path in sorted(Path(folder).glob("*.txt"))[:limit]:
        with open(path) as f:
            letters[path.stem] = normalise(f.read())
    return letters


def size(data):
    return len(bz2.compress(data, LEVEL))


def distances(letters):
    alone = {k: size(v) for k, v in letters.items()}
    dist = {}
    for a, b in itertools.combinations(letters, 2):
        both = size(letters[a] + letters[b])
        lo, hi = sorted((alone[a], alone[b]))
        dist[a, b] = dist[b, a] = (both - lo) / hi
    return dist


def average_linkage(names, dist):
    groups = [[n] for n in names]
    heights = []
    while len(groups) > CLUSTERS:
        best = None
        for i, j in itertools.combinations(range(len(groups)), 2):
            d = sum(dist[a, b] for a in groups[i] for b in groups[j])
            d /= len(groups[i]) * len(groups[j])
            if best is None or d < best[0]:
                best = (d, i, j)
        d, i, j = best
        groups[i] = groups[i] + groups.pop(j)
        heights.append(d)
    return groups, heights


def purity(groups):
    right = sum(Counter(n[0] for n in g).most_common(1)[0][1] for g in groups)
    return right / sum(map(len, groups))


def main():
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else None
    letters = read_letters("letters", limit)
    dist = distances(letters)
    with open("ncd.csv", "w") as out:
        out.write("," + ",".join(letters) + "\n")
        for a in letters:
            row = ["0.0000" if a == b else f"{dist[a, b]:.4f}" for b in letters]
            out.write(a + "," + ",".join(row) + "\n")
    groups, heights = average_linkage(list(letters), dist)
    for g in groups:
        print(" ".join(sorted(g)))
    print(f"purity {purity(groups):.3f}, last joint at {heights[-1]:.4f}")


if __name__ == "__main__":
    main()
