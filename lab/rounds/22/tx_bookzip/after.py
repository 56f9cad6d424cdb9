#!/usr/bin/env python3
"""Word frequencies over a sample of a zipped corpus.

The reader classes are shaped after nltk.data (ZipFilePathPointer, OpenOnDemandZipFile).
"""
import argparse
import re
import sys
import zipfile
from collections import Counter

WORD = re.compile(r"[a-z]+")


class OnDemandZip:
    """A zip archive, kept open."""

    def __init__(self, filename):
        if not zipfile.is_zipfile(filename):
            raise OSError(f"{filename} is no zip archive")
        self.archive = zipfile.ZipFile(filename)

    def read(self, name):
        return self.archive.read(name)

    def names(self):
        return self.archive.namelist()


class PathPointer:
    def __init__(self, archive, entry):
        self.archive = archive
        self.entry = entry

    def text(self, encoding="utf-8"):
        return self.archive.read(self.entry).decode(encoding)


class PlaintextReader:
    def __init__(self, archive, fileids):
        known = set(archive.names())
        missing = [f for f in fileids if f not in known]
        if missing:
            raise KeyError(f"{len(missing)} texts are missing, first {missing[0]}")
        self.pointers = {f: PathPointer(archive, f) for f in fileids}

    def words(self, fileid):
        return WORD.findall(self.pointers[fileid].text().lower())


def read_list(path):
    with open(path) as f:
        return [ln.strip() for ln in f if ln.strip() and not ln.startswith("#")]


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("zip")
    ap.add_argument("--wanted", required=True)
    ap.add_argument("--out", default="freq.tsv")
    ap.add_argument("--min", type=int, default=5)
    args = ap.parse_args()
    try:
        reader = PlaintextReader(OnDemandZip(args.zip), read_list(args.wanted))
    except (OSError, KeyError) as exc:
        print(f"error: {exc}", file=sys.stderr)
        return 2
    freq, docfreq = Counter(), Counter()
    for fileid in reader.pointers:
        words = reader.words(fileid)
        freq.update(words)
        docfreq.update(set(words))
    with open(args.out, "w") as f:
        f.write("word\tcount\tdocs\n")
        for w, n in sorted(freq.items(), key=lambda kv: (-kv[1], kv[0])):
            if n >= args.min:
                f.write(f"{w}\t{n}\t{docfreq[w]}\n")
    print(f"{len(reader.pointers)} texts, {sum(freq.values())} words, {len(freq)} types")
    return 0


if __name__ == "__main__":
    sys.exit(main())
