"""Light-time corrected positions of observed minor bodies, from a tabulated
ephemeris of Chebyshev coefficients that is mapped into memory."""
import sys

import numpy as np

DEGREE = 12
SEGMENTS = 2000
BODIES = 12
TABLE = "ephemeris.tab"


def write_table():
    rng = np.random.default_rng(9)
    decay = (0.5 ** np.arange(DEGREE)).astype("f8")
    with open(TABLE, "wb") as out:
        for body in range(BODIES):
            radius = 1.0 + 0.1 * body
            coeff = rng.normal(size=(500, 3, DEGREE)) * decay * radius
            coeff[:, :, 0] += radius
            out.write(np.tile(coeff, (SEGMENTS // 500, 1, 1)).tobytes())


class Ephemeris:
    def __init__(self, path):
        self.coeff = np.memmap(path, dtype="f8", mode="r",
                               shape=(BODIES, SEGMENTS, 3, DEGREE))

    def segment(self, body, time):
        index = int(time) % SEGMENTS
        return self.coeff[body, index]

    @staticmethod
    def position(segment, x):
        b1 = b2 = np.zeros((3,) + np.shape(x))
        for k in range(DEGREE - 1, 0, -1):
            b1, b2 = 2.0 * x * b1 - b2 + segment[:, k, None], b1
        return x * b1 - b2 + segment[:, 0, None]


def solve_light_time(segment, fraction, observer):
    speed = 173.14
    lag = np.zeros_like(fraction)
    for _ in range(6):
        target = Ephemeris.position(segment, 2.0 * (fraction - lag) - 1.0)
        distance = np.sqrt(((target - observer[:, None]) ** 2).sum(axis=0))
        lag = distance / speed
    return target, lag


def main():
    observations = int(sys.argv[1]) if len(sys.argv) > 1 else 900
    samples = int(sys.argv[2]) if len(sys.argv) > 2 else 1500
    write_table()
    ephemeris = Ephemeris(TABLE)
    rng = np.random.default_rng(31)
    observer = np.array([0.3, -0.9, 0.05])
    fraction = np.linspace(0.05, 0.95, samples)
    total_lag = 0.0
    with open("positions.txt", "w") as out:
        for k in range(observations):
            body = int(rng.integers(BODIES))
            time = float(rng.uniform(0, SEGMENTS))
            segment = ephemeris.segment(body, time)
            target, lag = solve_light_time(segment, fraction, observer)
            total_lag += float(lag.mean())
            x, y, z = target.mean(axis=1)
            out.write(f"{k:6d} {body:4d} {time:12.5f} {x:14.8f} {y:14.8f} {z:14.8f}\n")
    print(f"{observations} observations, mean light time {total_lag / observations:.8f} d")


if __name__ == "__main__":
    main()
