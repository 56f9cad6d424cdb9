#!/usr/bin/env python3
"""Ingest one night of transient alerts (newline-delimited JSON) into the broker database.

usage: ingest.py alerts.ndjson report.csv
Each alert updates its object (position, best magnitude, counter) and adds a detection; known
artefacts are skipped.  The database is a scratch one: it is dropped once the report is written.
"""
import csv
import json
import logging
import os
import sqlite3
import sys

log = logging.getLogger("ingest")

SCHEMA = """
CREATE TABLE object (oid TEXT PRIMARY KEY, ra REAL, dec REAL, ndet INTEGER, best REAL, last REAL);
CREATE TABLE detection (candid INTEGER PRIMARY KEY, oid TEXT, mjd REAL, fid INTEGER, mag REAL, magerr REAL, rb REAL);
CREATE INDEX det_oid ON detection(oid);
"""


class Broker:
    def __init__(self, path, min_rb=0.35):
        if os.path.exists(path):
            os.unlink(path)
        self.path = path
        self.min_rb = min_rb
        self.con = sqlite3.connect(path)
        self.con.executescript(SCHEMA)
        self.rejected = 0

    def accept(self, alert):
        cand = alert["candidate"]
        return cand["rb"] >= self.min_rb and 10.0 < cand["magpsf"] < 22.5 and cand["nbad"] == 0

    def store(self, alert):
        if not self.accept(alert):
            self.rejected += 1
            return False
        c = alert["candidate"]
        row = self.con.execute("SELECT ra, dec, ndet, best FROM object WHERE oid=?", (alert["objectId"],)).fetchone()
        if row is None:
            self.con.execute("INSERT INTO object VALUES (?,?,?,?,?,?)",
                             (alert["objectId"], c["ra"], c["dec"], 1, c["magpsf"], c["jd"] - 2400000.5))
        else:
            ra, dec, n, best = row
            self.con.execute("UPDATE object SET ra=?, dec=?, ndet=?, best=?, last=? WHERE oid=?",
                             ((ra * n + c["ra"]) / (n + 1), (dec * n + c["dec"]) / (n + 1), n + 1,
                              min(best, c["magpsf"]), c["jd"] - 2400000.5, alert["objectId"]))
        self.con.execute("INSERT OR IGNORE INTO detection VALUES (?,?,?,?,?,?,?)",
                         (alert["candid"], alert["objectId"], c["jd"] - 2400000.5, c["fid"],
                          c["magpsf"], c["sigmapsf"], c["rb"]))
        return True

    def flush(self):
        self.con.commit()

    def report(self, path):
        rows = self.con.execute(
            "SELECT o.oid, o.ra, o.dec, o.ndet, o.best, avg(d.mag), max(d.mjd)-min(d.mjd) FROM object o "
            "JOIN detection d ON d.oid=o.oid GROUP BY o.oid HAVING o.ndet > 1 ORDER BY o.oid").fetchall()
        with open(path, "w", newline="") as out:
            w = csv.writer(out)
            w.writerow(["oid", "ra", "dec", "ndet", "best", "mean", "span"])
            for oid, ra, dec, n, best, mean, span in rows:
                w.writerow([oid, f"{ra:.6f}", f"{dec:.6f}", n, f"{best:.3f}", f"{mean:.3f}", f"{span:.5f}"])
        return len(rows)

    def close(self):
        self.con.close()
        os.unlink(self.path)


def main(argv):
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if len(argv) != 3:
        sys.exit(__doc__)
    broker = Broker("broker.db")
    stored = bad = 0
    with open(argv[1]) as stream:
        for number, line in enumerate(stream, 1):
            try:
                alert = json.loads(line)
            except ValueError as exc:
                log.info("line %d: %s", number, exc)
                bad += 1
                continue
            stored += broker.store(alert)
            if number % 1000 == 0:
                broker.flush()
    broker.flush()
    variable = broker.report(argv[2])
    broker.close()
    print(f"stored {stored} rejected {broker.rejected} malformed {bad} objects with history {variable}")


if __name__ == "__main__":
    main(sys.argv)
