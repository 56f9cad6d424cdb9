#!/usr/bin/env python3
"""Load net-haul count sheets into the cruise data base and derive diversity."""
import math
import os
import sqlite3
import sys

SCHEMA = """
CREATE TABLE haul  (id INTEGER PRIMARY KEY, name TEXT UNIQUE, station TEXT, depth REAL, volume REAL);
CREATE TABLE count (id INTEGER PRIMARY KEY, haul INTEGER REFERENCES haul(id), taxon TEXT,
                    stage TEXT, n INTEGER, mm REAL);
CREATE INDEX count_haul ON count(haul);
"""


class CruiseDB:
    def __init__(self, path):
        fresh = not os.path.exists(path)
        self.con = sqlite3.connect(path)
        if fresh:
            self.con.executescript(SCHEMA)

    def add_haul(self, name, station, depth, volume):
        cur = self.con.execute("INSERT INTO haul(name, station, depth, volume) VALUES (?,?,?,?)",
                               (name, station, depth, volume))
        self.con.commit()
        return cur.lastrowid

    def add_count(self, haul, taxon, stage, n, mm):
        self.con.execute("INSERT INTO count(haul, taxon, stage, n, mm) VALUES (?,?,?,?,?)",
                         (haul, taxon, stage, n, mm))
        self.con.commit()

    def per_taxon(self, haul):
        return self.con.execute("SELECT taxon, SUM(n), AVG(mm) FROM count WHERE haul=? "
                                "GROUP BY taxon ORDER BY taxon", (haul,)).fetchall()

    def hauls(self):
        return self.con.execute("SELECT id, name, volume FROM haul ORDER BY name").fetchall()

    def close(self):
        self.con.close()


def parse_sheet(path):
    head, rows = None, []
    with open(path) as fh:
        for line in fh:
            if line.startswith("#"):
                w = line.split()
                head = (w[2], float(w[4]), float(w[6]))
            else:
                taxon, stage, n, mm = line.rstrip("\n").split("\t")
                rows.append((taxon, stage, int(n), float(mm)))
    return head, rows


def shannon(counts):
    tot = sum(counts)
    return -sum(c / tot * math.log(c / tot) for c in counts if c)


def load(db, folder):
    loaded = 0
    for sheet in sorted(os.listdir(folder)):
        if not sheet.endswith(".tsv"):
            continue
        (station, depth, volume), rows = parse_sheet(os.path.join(folder, sheet))
        haul = db.add_haul(sheet[:-4], station, depth, volume)
        for taxon, stage, n, mm in rows:
            db.add_count(haul, taxon, stage, n, mm)
            loaded += 1
    return loaded


def report(db, out):
    acc = 0.0
    with open(out, "w") as fh:
        for hid, name, volume in db.hauls():
            taxa = db.per_taxon(hid)
            h = shannon([t[1] for t in taxa])
            dens = sum(t[1] for t in taxa) / volume
            fh.write("%s\t%.4f\t%.2f\n" % (name, h, dens))
            acc += h + dens
    return acc


def main():
    folder, dbfile, out = sys.argv[1:4]
    db = CruiseDB(dbfile)
    n = load(db, folder)
    acc = report(db, out)
    db.close()
    print("counts %d checksum %.5f" % (n, acc))


if __name__ == "__main__":
    main()
