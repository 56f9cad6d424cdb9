"""Brings measurements of seeds into one register and ranks the provenances.

Each lot's file of measurements is checked and entered as a whole; queries on
the register give heritability-like ratios and the ranking.
"""
import argparse
import csv
import pathlib
import sqlite3

SCHEMA = """
pragma cache_size = -32000;
create table lot (id integer primary key, name text unique, provenance text);
create table seed (lot integer, tray integer, mass real, length real, germinated integer);
"""


def check(row):
    """Values of a measurement, or None where it cannot be right."""
    mass, length = float(row["mass"]), float(row["length"])
    if not (0 < mass < 50 and 0 < length < 20):
        return None
    return int(row["tray"]), mass, length, int(row["germinated"])


def enter_lot(db, path):
    provenance = path.stem.split("-")[0]
    with db:
        lot = db.execute("insert into lot (name, provenance) values (?,?)",
                         (path.stem, provenance)).lastrowid
        refused = 0

        def rows():
            nonlocal refused
            with open(path, newline="") as f:
                for row in csv.DictReader(f):
                    good = check(row)
                    if good is None:
                        refused += 1
                    else:
                        yield (lot, *good)

        db.executemany("insert into seed values (?,?,?,?,?)", rows())
    return refused


def ranking(db):
    return db.execute("""select provenance, count(*), avg(mass), avg(mass*mass) - avg(mass)*avg(mass),
        avg(germinated) from seed s join lot l on l.id = s.lot
        group by provenance order by avg(mass) desc""").fetchall()


def between_lots(db):
    """Variance of the lots' means over the variance of all seeds."""
    means = [m for m, in db.execute("select avg(mass) from seed group by lot")]
    grand = sum(means) / len(means)
    between = sum((m - grand) ** 2 for m in means) / (len(means) - 1)
    total = db.execute("select avg(mass*mass) - avg(mass)*avg(mass) from seed").fetchone()[0]
    return between / total


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("lots", type=pathlib.Path)
    p.add_argument("--register", default="seeds.db")
    args = p.parse_args()

    db = sqlite3.connect(args.register)
    db.executescript(SCHEMA)
    refused = sum(enter_lot(db, path) for path in sorted(args.lots.glob("*.csv")))
    table = ranking(db)
    with open("ranking.tsv", "w") as f:
        for row in table:
            f.write("\t".join(str(v) for v in row) + "\n")
    for provenance, n, mean, var, germ in table:
        print(f"{provenance:10s} {n:7d} {mean:8.4f} {var:8.4f} {germ:.4f}")
    print(f"refused {refused}, between lots {between_lots(db):.6f}")
    db.close()


if __name__ == "__main__":
    main()
