"""Enters ring recoveries of birds into the register and derives movements.

Each recovery is matched with the ringing, distance and bearing are computed
and entered; the summary by species is drawn from the register.
"""
import argparse
import csv
import logging
import math
import sqlite3

SCHEMA = """
create table if not exists ringing (ring text primary key, species text, lat real, lon real, day integer);
create table if not exists recovery (id integer primary key, ring text, lat real, lon real, day integer,
                                     km real, bearing real);
"""


def connect(path):
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    return db


def enter_ringings(db, path):
    with open(path, newline="") as f:
        rows = [(r["ring"], r["species"], float(r["lat"]), float(r["lon"]), int(r["day"]))
                for r in csv.DictReader(f)]
    with db:
        db.executemany("insert or ignore into ringing values (?,?,?,?,?)", rows)
    return len(rows)


def great_circle(a, b):
    """Distance in km and bearing in degrees."""
    la, lo, lb, lp = map(math.radians, (*a, *b))
    d = lp - lo
    y = math.sin(d) * math.cos(lb)
    x = math.cos(la) * math.sin(lb) - math.sin(la) * math.cos(lb) * math.cos(d)
    c = math.sin(la) * math.sin(lb) + math.cos(la) * math.cos(lb) * math.cos(d)
    return 6371.0 * math.acos(max(-1.0, min(1.0, c))), math.degrees(math.atan2(y, x)) % 360


def enter_recovery(db, r):
    found = db.execute("select lat, lon from ringing where ring = ?", (r["ring"],)).fetchone()
    if found is None:
        return False
    place = (float(r["lat"]), float(r["lon"]))
    km, bearing = great_circle(found, place)
    db.execute("insert into recovery (ring, lat, lon, day, km, bearing) values (?,?,?,?,?,?)",
               (r["ring"], *place, int(r["day"]), km, bearing))
    return True


def enter_recoveries(db, path):
    entered = unknown = 0
    with open(path, newline="") as f, db:
        for r in csv.DictReader(f):
            if enter_recovery(db, r):
                entered += 1
            else:
                unknown += 1
    return entered, unknown


def summary(db):
    return db.execute("""select species, count(*), avg(km), max(km), avg(v.day - r.day)
        from recovery v join ringing r using (ring) group by species order by species""").fetchall()


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("ringings")
    p.add_argument("recoveries")
    p.add_argument("--register", default="register.db")
    args = p.parse_args()
    logging.basicConfig(filename="entry.log", level=logging.INFO)

    db = connect(args.register)
    logging.info("%d ringings", enter_ringings(db, args.ringings))
    entered, unknown = enter_recoveries(db, args.recoveries)
    logging.info("%d recoveries entered, %d unknown", entered, unknown)
    for species, n, mean, far, days in summary(db):
        print(f"{species:12s} {n:5d} {mean:9.3f} {far:9.3f} {days:8.2f}")
    print(f"entered {entered} unknown {unknown}")
    db.close()


if __name__ == "__main__":
    main()
