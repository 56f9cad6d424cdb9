"""Cross match of two synthetic star catalogues; the matches are kept in an
SQLite data base, one transaction per sky zone."""
import sqlite3

import numpy as np

ZONES = 12
PER_ZONE = 9000


def make_zone(zone, rng):
    ra = rng.uniform(0, 360, PER_ZONE)
    dec = rng.uniform(-90 + 15 * zone, -75 + 15 * zone, PER_ZONE)
    mag = rng.gamma(6.0, 2.0, PER_ZONE)
    return np.column_stack([ra, dec, mag])


def observe_again(stars, rng):
    keep = rng.random(len(stars)) < 0.9
    moved = stars[keep].copy()
    moved[:, :2] += rng.normal(0, 2e-4, (keep.sum(), 2))
    moved[:, 2] += rng.normal(0, 0.05, keep.sum())
    return moved[rng.permutation(len(moved))]


def cross_match(a, b, radius=1.5e-3):
    order = np.argsort(b[:, 0])
    bs = b[order]
    lo = np.searchsorted(bs[:, 0], a[:, 0] - radius)
    hi = np.searchsorted(bs[:, 0], a[:, 0] + radius)
    pairs = []
    for i, (l, h) in enumerate(zip(lo, hi)):
        if l == h:
            continue
        d = np.hypot(bs[l:h, 0] - a[i, 0], bs[l:h, 1] - a[i, 1])
        j = int(d.argmin())
        if d[j] < radius:
            pairs.append((i, int(order[l + j]), float(d[j])))
    return pairs


def main():
    rng = np.random.default_rng(77)
    db = sqlite3.connect("catalogue.db")
    db.execute("create table star(zone int, id int, ra real, dec real, mag real, primary key(zone, id)) without rowid")
    db.execute("create table pair(zone int, a int, b int, dist real, dmag real)")
    db.commit()
    for zone in range(ZONES):
        first = make_zone(zone, rng)
        second = observe_again(first, rng)
        pairs = cross_match(first, second)
        with db:
            db.executemany("insert into star values (?,?,?,?,?)",
                           ((zone, i, *row) for i, row in enumerate(first.tolist())))
            db.executemany("insert into pair values (?,?,?,?,?)",
                           ((zone, i, j, d, float(second[j, 2] - first[i, 2])) for i, j, d in pairs))
    n, dist, dmag = db.execute("select count(*), avg(dist), avg(dmag * dmag) from pair").fetchone()
    bright, = db.execute("select count(*) from star where mag < 6").fetchone()
    db.close()
    print(f"pairs {n}  mean distance {dist:.3e}  magnitude scatter {dmag ** 0.5:.5f}  bright {bright}")


if __name__ == "__main__":
    main()
