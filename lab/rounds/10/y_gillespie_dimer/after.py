"""Stochastic simulation (Gillespie) of a dimerising gene product.

Reactions:   0 -> M,  M -> 0,  M -> M + P,  P -> 0,  P + P -> D,  D -> P + P
Every reaction event is stored so that waiting times can be analysed later.
"""
import argparse
import struct

import numpy as np

RATES = (4.0, 0.10, 2.5, 0.05, 0.002, 0.30)
CHANGE = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, -2, 1), (0, 2, -1))


class Trajectory:
    """Binary event list: time, reaction number, M, P, D."""

    layout = struct.Struct("<d4i")

    def __init__(self, path):
        self.out = open(path, "wb", buffering=1 << 20)
        self.events = 0

    def record(self, t, which, m, p, d):
        self.out.write(self.layout.pack(t, which, m, p, d))
        self.events += 1

    def close(self):
        self.out.close()


def propensities(m, p, d):
    k = RATES
    return (k[0], k[1] * m, k[2] * m, k[3] * p, k[4] * p * (p - 1), k[5] * d)


def simulate(rng, nevents, trajectory):
    m, p, d = 0, 0, 0
    t = 0.0
    area = [0.0, 0.0, 0.0]
    block = 20000
    waits, picks = [], []
    for n in range(nevents):
        if n % block == 0:
            waits = rng.exponential(size=block).tolist()
            picks = rng.random(size=block).tolist()
        a = propensities(m, p, d)
        total = sum(a)
        dt = waits[n % block] / total
        area[0] += m * dt
        area[1] += p * dt
        area[2] += d * dt
        t += dt
        left = picks[n % block] * total
        which = 0
        while which < 5 and left >= a[which]:
            left -= a[which]
            which += 1
        step = CHANGE[which]
        m, p, d = m + step[0], p + step[1], d + step[2]
        trajectory.record(t, which, m, p, d)
    return t, [x / t for x in area]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("events", type=int)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--out", default="events.bin")
    args = ap.parse_args()

    trajectory = Trajectory(args.out)
    t, means = simulate(np.random.default_rng(args.seed), args.events, trajectory)
    trajectory.close()

    print(f"simulated time {t:.4f}, {trajectory.events} events")
    print("mean M %.4f  P %.4f  D %.4f" % tuple(means))


if __name__ == "__main__":
    main()
