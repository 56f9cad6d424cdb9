"""Mark-recapture study of a reed-warbler population (Cormack-Jolly-Seber).
Birds are ringed and recaptured over the seasons; the captures live in an
SQLite data base, as in the ringing scheme, and survival is estimated from it."""
import sqlite3
import sys

import numpy as np

PHI_TRUE, P_TRUE = 0.55, 0.45
SITES = ("Illmitz", "Podersdorf", "Rust", "Purbach")

SCHEMA = """
create table bird(ring text primary key, species text, sex text, wing_mm real);
create table capture(ring text, season integer, site text, mass_g real, fat integer);
create index by_ring on capture(ring, season);
"""


class RingingDatabase:
    def __init__(self, path):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("pragma journal_mode=wal")
        self.db.execute("pragma synchronous=full")
        self.db.executescript(SCHEMA)

    def begin(self):
        self.db.execute("begin")

    def commit(self):
        self.db.execute("commit")

    def ring_bird(self, ring, sex, wing):
        self.db.execute("insert into bird values (?,?,?,?)",
                        (ring, "Acrocephalus scirpaceus", sex, wing))

    def record_capture(self, ring, season, site, mass, fat):
        self.db.execute("insert into capture values (?,?,?,?,?)",
                        (ring, season, site, mass, fat))

    def histories(self, seasons):
        rows = self.db.execute("select ring, season from capture order by ring, season")
        table = {}
        for ring, season in rows:
            table.setdefault(ring, np.zeros(seasons, int))[season] = 1
        return np.array(list(table.values()))

    def close(self):
        self.db.close()


def field_work(db, rng, nbirds, seasons):
    """Ring new birds every season and recapture the survivors."""
    alive, serial = [], 0
    for season in range(seasons):
        alive = [b for b in alive if rng.random() < PHI_TRUE]
        for ring, wing in alive:
            if rng.random() < P_TRUE:
                catch(db, rng, ring, wing, season)
        for _ in range(nbirds):
            ring = "AE%06d" % serial
            serial += 1
            wing = round(float(rng.normal(66.0, 1.6)), 1)
            db.ring_bird(ring, "MF"[int(rng.integers(2))], wing)
            catch(db, rng, ring, wing, season)
            alive.append((ring, wing))
    return serial


def catch(db, rng, ring, wing, season):
    mass = round(float(rng.normal(0.18 * wing, 0.7)), 1)
    db.record_capture(ring, season, SITES[int(rng.integers(4))], mass, int(rng.integers(6)))


def log_likelihood(hist, phi, p):
    """CJS likelihood with constant survival and recapture probability."""
    T = hist.shape[1]
    chi = np.ones(T)                       # probability of never being seen again
    for t in range(T - 2, -1, -1):
        chi[t] = 1 - phi + phi * (1 - p) * chi[t + 1]
    first = hist.argmax(axis=1)
    last = T - 1 - hist[:, ::-1].argmax(axis=1)
    seen = hist.sum(axis=1) - 1
    gaps = last - first
    return float(np.sum(gaps * np.log(phi) + seen * np.log(p)
                        + (gaps - seen) * np.log(1 - p) + np.log(chi[last])))


def main():
    nbirds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    seasons = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    rng = np.random.default_rng(77)
    db = RingingDatabase("ringing.sqlite")
    db.begin()
    total = field_work(db, rng, nbirds, seasons)
    db.commit()
    hist = db.histories(seasons)
    db.close()
    grid = np.linspace(0.2, 0.9, 71)
    ll = np.array([[log_likelihood(hist, phi, p) for p in grid] for phi in grid])
    i, j = np.unravel_index(ll.argmax(), ll.shape)
    print("%d birds, %d captures: phi = %.2f, p = %.2f" % (total, hist.sum(), grid[i], grid[j]))


if __name__ == "__main__":
    main()
