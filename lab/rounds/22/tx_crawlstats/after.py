#!/usr/bin/env python3
"""Type/token statistics per host of a gzipped crawl."""
import argparse
import gzip
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass, field

TAG = re.compile(r"<[^>]+>")
WORD = re.compile(r"[a-z]{2,}")


@dataclass
class HostStats:
    pages: int = 0
    bad: int = 0
    words: Counter = field(default_factory=Counter)

    def add(self, text):
        self.pages += 1
        self.words.update(WORD.findall(text.lower()))

    def row(self, host):
        tokens = sum(self.words.values())
        types = len(self.words)
        hapax = sum(1 for n in self.words.values() if n == 1)
        ratio = types / tokens if tokens else 0.0
        return f"{host}\t{self.pages}\t{tokens}\t{types}\t{hapax}\t{ratio:.4f}"


def unpack(path):
    """Text of a gzipped page, None if the file is damaged."""
    try:
        with gzip.open(path, "rb") as f:
            return f.read().decode("utf-8", "replace")
    except (OSError, EOFError):
        return None


def strip_tags(html):
    body = html.partition("<body")[2] or html
    return TAG.sub(" ", "<body" + body)


def find_pages(root):
    for folder, dirs, files in os.walk(root):
        dirs.sort()
        host = os.path.relpath(folder, root)
        for name in sorted(files):
            if name.endswith(".html.gz"):
                yield host, os.path.join(folder, name)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("root")
    ap.add_argument("--out", default="report.tsv")
    args = ap.parse_args()
    if not os.path.isdir(args.root):
        ap.error(f"{args.root} is no folder")
    hosts = {}
    for host, path in find_pages(args.root):
        stats = hosts.setdefault(host, HostStats())
        html = unpack(path)
        if html is None:
            stats.bad += 1
            continue
        stats.add(strip_tags(html))
    with open(args.out, "w") as f:
        f.write("host\tpages\ttokens\ttypes\thapax\tttr\n")
        for host in sorted(hosts):
            f.write(hosts[host].row(host) + "\n")
    total = sum(s.pages for s in hosts.values())
    bad = sum(s.bad for s in hosts.values())
    print(f"{len(hosts)} hosts, {total} pages, {bad} damaged")
    return 0


if __name__ == "__main__":
    sys.exit(main())
