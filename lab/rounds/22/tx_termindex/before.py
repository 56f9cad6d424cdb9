#!/usr/bin/env python3
"""Inverted index of abstracts in sqlite; can be restarted after the last commit."""
import argparse
import json
import math
import re
import sqlite3
import sys
from collections import Counter
from itertools import islice

WORD = re.compile(r"[a-z]{3,}")
RULES = [(re.compile(p), r) for p, r in (
    (r"ational$", "ate"), (r"fulness$", "ful"), (r"ousness$", "ous"), (r"izer$", "ize"),
    (r"ation$", "ate"), (r"ness$", ""), (r"(?<=[aeiou].)ing$", ""), (r"(?<=[aeiou].)ed$", ""),
    (r"ly$", ""), (r"(?<!s)s$", ""), (r"e$", ""))]


def stem(word):
    for pattern, repl in RULES:
        new, n = pattern.subn(repl, word)
        if n:
            word = new
    return word


def open_index(path):
    conn = sqlite3.connect(path)
    conn.executescript("""
        BEGIN;
        CREATE TABLE IF NOT EXISTS doc (pmid INTEGER PRIMARY KEY, length INTEGER);
        CREATE TABLE IF NOT EXISTS posting (pmid INTEGER, term TEXT, tf INTEGER);
        COMMIT;
    """)
    return conn


def records(path, done):
    with open(path, encoding="utf-8") as f:
        for no, line in enumerate(f, 1):
            try:
                rec = json.loads(line)
            except ValueError:
                print(f"{path}:{no}: no JSON", file=sys.stderr)
                continue
            if rec["pmid"] > done:
                yield rec["pmid"], rec["abstract"]


def index_batch(conn, batch):
    docs, postings = [], []
    for pmid, text in batch:
        tf = Counter(stem(w) for w in WORD.findall(text.lower()))
        docs.append((pmid, sum(tf.values())))
        postings.extend((pmid, t, n) for t, n in tf.items())
    with conn:
        conn.executemany("INSERT INTO doc VALUES (?, ?)", docs)
        conn.executemany("INSERT INTO posting VALUES (?, ?, ?)", postings)
    return len(postings)


def rare_terms(conn, k=5):
    n = conn.execute("SELECT count(*) FROM doc").fetchone()[0]
    rows = conn.execute("SELECT term, count(*) AS df FROM posting GROUP BY term "
                        "ORDER BY df, term LIMIT ?", (k,)).fetchall()
    return [(t, math.log(n / df)) for t, df in rows]


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("source")
    ap.add_argument("db")
    ap.add_argument("--batch", type=int, default=1000)
    args = ap.parse_args()
    conn = open_index(args.db)
    done = conn.execute("SELECT coalesce(max(pmid), 0) FROM doc").fetchone()[0]
    stream = records(args.source, done)
    total = 0
    while batch := list(islice(stream, args.batch)):
        total += index_batch(conn, batch)
    for term, idf in rare_terms(conn):
        print(f"{term:16s} {idf:.4f}")
    print(f"{total} postings")
    conn.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
