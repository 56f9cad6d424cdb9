"""Clustering of orchids on a meadow: simulated quadrat survey and Ripley's K.
The plants (Thomas process) go into an SQLite data base, as the mapping team
delivers them; K and its envelope under complete randomness are computed."""
import sqlite3
import sys

import numpy as np

SIDE = 100.0            # m
PARENTS, PER_PARENT, SPREAD = 60, 20, 2.5
RADII = np.linspace(0.5, 15, 30)
SPECIES = ("Orchis militaris", "Ophrys apifera", "Anacamptis pyramidalis")


class MeadowDatabase:
    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.db.execute("create table plant(id integer primary key, species text, x real, y real, height_cm real)")
        self.db.execute("create table quadrat(i integer, j integer, n integer)")

    def add_plant(self, species, x, y, height):
        self.db.execute("insert into plant(species, x, y, height_cm) values (?,?,?,?)",
                        (species, x, y, height))

    def count_quadrats(self, size):
        self.db.execute("insert into quadrat select cast(x / ? as integer), cast(y / ? as integer), count(*) "
                        "from plant group by 1, 2", (size, size))

    def quadrats(self):
        return [n for (n,) in self.db.execute("select n from quadrat")]

    def plants(self, species):
        rows = self.db.execute("select x, y from plant where species = ?", (species,)).fetchall()
        return np.array(rows)

    def finish(self):
        self.db.commit()
        self.db.close()


def thomas_process(rng):
    parents = rng.random((PARENTS, 2)) * SIDE
    n = rng.poisson(PER_PARENT, PARENTS)
    xy = np.repeat(parents, n, axis=0) + rng.normal(0, SPREAD, (n.sum(), 2))
    return xy % SIDE


def ripley_k(xy):
    """Ripley's K with toroidal edge correction, by blocks of plants."""
    n = len(xy)
    counts = np.zeros(len(RADII))
    for a in range(0, n, 250):
        d = np.abs(xy[a:a + 250, None, :] - xy[None, :, :])
        d = np.minimum(d, SIDE - d)
        r = np.sqrt((d ** 2).sum(axis=2))
        counts += np.cumsum(np.histogram(r, bins=np.concatenate(([0.0], RADII)))[0])
    return SIDE ** 2 * (counts - n) / (n * (n - 1))


def envelope(rng, n, nsim):
    sims = np.array([ripley_k(rng.random((n, 2)) * SIDE) for _ in range(nsim)])
    return sims.min(axis=0), sims.max(axis=0)


def main():
    nsim = int(sys.argv[1]) if len(sys.argv) > 1 else 19
    rng = np.random.default_rng(1753)
    db = MeadowDatabase("meadow.sqlite")
    for species in SPECIES:
        for x, y in thomas_process(rng).tolist():
            db.add_plant(species, x, y, float(np.round(rng.gamma(9.0, 3.0), 1)))
    db.count_quadrats(5.0)
    q = np.array(db.quadrats())
    print("variance to mean ratio of quadrat counts %.2f" % (q.var() / q.mean()))
    for species in SPECIES:
        xy = db.plants(species)
        k = ripley_k(xy)
        low, high = envelope(rng, len(xy), nsim)
        clustered = RADII[k > high]
        print("%-24s %5d plants, clustered up to %.1f m" % (species, len(xy), clustered.max(initial=0)))
    db.finish()


if __name__ == "__main__":
    main()
