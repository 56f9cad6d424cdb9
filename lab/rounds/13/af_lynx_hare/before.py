"""Stochastic lynx-hare model with a refuge, Gillespie's algorithm.

Writes a census line of the populations every few hundred events and pushes the
census file out now and then, so that a running case can be looked at.
"""
import math
import random
import sys

BIRTH = 1.0          # hare births per hare and year
CROWD = 2.0e-4       # crowding of hares
CATCH = 1.2e-3       # encounters lynx x hare
YIELD = 0.35         # lynx born per hare caught
DEATH = 0.35         # lynx deaths
REFUGE = 120         # hares that cannot be found
CENSUS = 400         # events between two census lines
PUSH = 40            # census lines between two pushes


class Population:
    def __init__(self, hares, lynx, seed):
        self.h = hares
        self.l = lynx
        self.t = 0.0
        self.random = random.Random(seed).random

    def rates(self):
        h, l = self.h, self.l
        found = max(h - REFUGE, 0) * l * CATCH
        return (BIRTH * h, CROWD * h * h, found * (1 - YIELD), found * YIELD, DEATH * l)

    def event(self):
        a = self.rates()
        total = a[0] + a[1] + a[2] + a[3] + a[4]
        if total == 0:
            return False
        self.t -= math.log(1.0 - self.random()) / total
        pick = self.random() * total
        k = 0
        while pick > a[k] and k < 4:
            pick -= a[k]
            k += 1
        if k == 0:
            self.h += 1
        elif k == 1 or k == 2:
            self.h -= 1
        elif k == 3:
            self.h -= 1
            self.l += 1
        else:
            self.l -= 1
        return True


class Census:
    def __init__(self, path):
        self.file = open(path, "w")
        self.file.write("year,hares,lynx\n")
        self.lines = 0

    def note(self, p):
        self.file.write(f"{p.t:.4f},{p.h},{p.l}\n")
        self.lines += 1
        if self.lines % PUSH == 0:
            self.file.flush()

    def close(self):
        self.file.close()


def cycle_length(path):
    """Mean time between upward crossings of the mean hare number."""
    with open(path) as f:
        next(f)
        rows = [line.split(",") for line in f]
    t = [float(r[0]) for r in rows]
    h = [int(r[1]) for r in rows]
    mean = sum(h) / len(h)
    ups = [t[i] for i in range(1, len(h)) if h[i - 1] < mean <= h[i]]
    ups = [u for i, u in enumerate(ups) if i == 0 or u - ups[i - 1] > 2.0]
    return (ups[-1] - ups[0]) / max(len(ups) - 1, 1), mean


def main():
    events = int(sys.argv[1])
    p = Population(1500, 300, seed=21)
    census = Census("census.csv")
    for k in range(events):
        if not p.event():
            break
        if k % CENSUS == 0:
            census.note(p)
    census.close()
    length, mean = cycle_length("census.csv")
    print(f"{p.t:.2f} years, hares {mean:.1f}, cycle {length:.2f} years, {census.lines} lines")


if __name__ == "__main__":
    main()
