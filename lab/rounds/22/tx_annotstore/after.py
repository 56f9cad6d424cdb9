#!/usr/bin/env python3
"""Tag place names in a jsonl corpus and keep the spans in sqlite."""
import argparse
import json
import re
import sqlite3
import sys

GAZETTEER = {
    "Bergen": "NO", "Oslo": "NO", "Lagos": "NG", "Quito": "EC",
    "Pune": "IN", "Lyon": "FR", "Turin": "IT", "Osaka": "JP",
}
TOKEN = re.compile(r"\w+")

SCHEMA = """
CREATE TABLE IF NOT EXISTS doc (id TEXT PRIMARY KEY, tokens INTEGER);
CREATE TABLE IF NOT EXISTS span (
    doc TEXT REFERENCES doc(id), start INTEGER, stop INTEGER, surface TEXT, country TEXT);
CREATE INDEX IF NOT EXISTS span_country ON span(country);
"""


class SpanStore:
    def __init__(self, path):
        self.conn = sqlite3.connect(path)
        self.conn.executescript(SCHEMA)

    def add_documents(self, docs):
        with self.conn:
            self.conn.executemany("INSERT OR REPLACE INTO doc VALUES (?, ?)", docs)

    def add_spans(self, rows):
        with self.conn:
            self.conn.executemany("INSERT INTO span VALUES (?, ?, ?, ?, ?)", rows)

    def by_country(self):
        cur = self.conn.execute(
            "SELECT country, count(*), min(doc), sum(start) FROM span GROUP BY country ORDER BY country")
        return cur.fetchall()

    def close(self):
        self.conn.close()


def read_corpus(path):
    with open(path, encoding="utf-8") as f:
        for no, line in enumerate(f, 1):
            try:
                rec = json.loads(line)
                yield rec["id"], rec["text"]
            except (ValueError, KeyError) as exc:
                print(f"{path}:{no}: skipped ({exc})", file=sys.stderr)


def find_places(text):
    tokens = 0
    spans = []
    for m in TOKEN.finditer(text):
        tokens += 1
        country = GAZETTEER.get(m.group())
        if country:
            spans.append((m.start(), m.end(), m.group(), country))
    return tokens, spans


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("corpus")
    ap.add_argument("db")
    args = ap.parse_args()
    store = SpanStore(args.db)
    docs = []
    rows = []
    for doc_id, text in read_corpus(args.corpus):
        tokens, spans = find_places(text)
        docs.append((doc_id, tokens))
        rows.extend((doc_id, *span) for span in spans)
    store.add_spans(rows)
    store.add_documents(docs)
    for row in store.by_country():
        print("%s %6d %s %9d" % row)
    store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
