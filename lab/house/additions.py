#!/usr/bin/env python3
"""How many files a commit touches that adds exactly one thing of a kind.

    lab/house/additions.py CLONE KIND...     a KIND is NAME=REGEX of the file that makes the thing

Prints for each kind the commits that add exactly one such file, and the medians of the files
they touch and of those that were there before. Generated and golden files count: a commit says
nothing of who wrote them.
"""

import re
import statistics
import subprocess
import sys


def commits(clone):
    """Status and path of each file of each commit, merges left out."""
    log = ["git", "-C", clone, "log", "--no-merges", "--no-renames", "--name-status", "--format=tformat:@"]
    for one in subprocess.run(log, capture_output=True, text=True, check=True).stdout.split("@\n"):
        yield [line.split("\t")[:2] for line in one.splitlines() if "\t" in line]


def main(clone, kinds):
    all_of = list(commits(clone))
    for kind in kinds:
        name, _, pattern = kind.partition("=")
        touched, edited = [], []
        for files in all_of:
            # One that is gone at the same time was moved.
            if [status for status, path in files if re.search(pattern, path) and status != "M"] == ["A"]:
                touched.append(len(files))
                edited.append(sum(status == "M" for status, _ in files))
        if touched:
            print(f"| {name} | {len(touched)} | {statistics.median(touched):g} | {statistics.median(edited):g} |")
        else:
            print(f"| {name} | 0 | | |")


main(sys.argv[1], sys.argv[2:])
