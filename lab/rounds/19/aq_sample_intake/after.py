#!/usr/bin/env python3
"""Sample intake: a small task broker on SQLite, in the manner of the Celery
SQLAlchemy transport.  Barcoded tubes are enqueued, a worker claims them one
after the other, computes the quality verdict and acknowledges the task."""
import hashlib
import json
import sqlite3
import sys
from dataclasses import dataclass

import numpy as np

SCHEMA = """
CREATE TABLE IF NOT EXISTS task(
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'pending',
    payload TEXT NOT NULL, owner TEXT);
CREATE INDEX IF NOT EXISTS task_state ON task(queue, state, id);
CREATE TABLE IF NOT EXISTS result(
    task_id INTEGER PRIMARY KEY, verdict TEXT, score REAL);
"""


@dataclass
class Task:
    id: int
    payload: dict


class Broker:
    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.db.executescript(SCHEMA)
        self.db.commit()

    def send(self, queue, payload):
        self.db.execute("INSERT INTO task(queue, payload) VALUES (?, ?)",
                        (queue, json.dumps(payload, sort_keys=True)))

    def send_many(self, queue, payloads):
        for p in payloads:
            self.send(queue, p)
        self.db.commit()

    def claim(self, queue, owner):
        row = self.db.execute(
            "SELECT id, payload FROM task WHERE queue=? AND state='pending' "
            "ORDER BY id LIMIT 1", (queue,)).fetchone()
        if row is None:
            return None
        self.db.execute("UPDATE task SET state='running', owner=? WHERE id=?",
                        (owner, row[0]))
        return Task(row[0], json.loads(row[1]))

    def acknowledge(self, task, verdict, score):
        self.db.execute("INSERT INTO result VALUES (?, ?, ?)",
                        (task.id, verdict, score))
        self.db.execute("UPDATE task SET state='done' WHERE id=?", (task.id,))

    def results(self):
        return self.db.execute("SELECT task_id, verdict, score FROM result "
                               "ORDER BY task_id").fetchall()


def read_manifest(path):
    with open(path) as fh:
        header = fh.readline().strip().split(",")
        for line in fh:
            yield dict(zip(header, line.rstrip("\n").split(",")))


def quality(payload):
    rng = np.random.default_rng(int(payload["seed"]))
    trace = rng.normal(float(payload["od"]), 0.1, size=20000)
    spectrum = np.abs(np.fft.rfft(trace - trace.mean()))
    score = float(np.round(spectrum.max() / spectrum.mean(), 6))
    return ("pass" if score < 4.1 else "review"), score


def main():
    manifest = sys.argv[1]
    broker = Broker("broker.db")
    broker.send_many("intake", read_manifest(manifest))

    handled = 0
    while True:
        task = broker.claim("intake", "worker-1")
        if task is None:
            break
        verdict, score = quality(task.payload)
        broker.acknowledge(task, verdict, score)
        handled += 1
        if handled % 25 == 0:
            broker.db.commit()
    broker.db.commit()

    rows = broker.results()
    digest = hashlib.sha1(repr(rows).encode()).hexdigest()
    review = sum(1 for r in rows if r[1] == "review")
    print(f"handled {handled} tasks, {review} for review, digest {digest}")


if __name__ == "__main__":
    main()
