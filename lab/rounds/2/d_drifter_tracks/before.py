"""Advect surface drifters through an analytic gyre and keep their tracks as
packed (id, step, x, y) records."""
import math
import struct
import sys

RECORD = struct.Struct("<iifff")


class Gyre:
    def __init__(self, amplitude=0.1, epsilon=0.25, omega=0.628):
        self.amplitude = amplitude
        self.epsilon = epsilon
        self.omega = omega

    def velocity(self, x, y, t):
        a = self.epsilon * math.sin(self.omega * t)
        f = a * x * x + (1.0 - 2.0 * a) * x
        df = 2.0 * a * x + 1.0 - 2.0 * a
        u = -math.pi * self.amplitude * math.sin(math.pi * f) * math.cos(math.pi * y)
        v = math.pi * self.amplitude * math.cos(math.pi * f) * math.sin(math.pi * y) * df
        return u, v


def seed_drifters(n):
    side = int(math.ceil(math.sqrt(n)))
    return [[2.0 * (k % side + 0.5) / side, (k // side + 0.5) / side] for k in range(n)]


def advect(gyre, drifters, t, dt):
    for p in drifters:
        u, v = gyre.velocity(p[0], p[1], t)
        p[0] = min(max(p[0] + dt * u, 0.0), 2.0)
        p[1] = min(max(p[1] + dt * v, 0.0), 1.0)


class TrackWriter:
    def __init__(self, path):
        self.out = open(path, "wb", buffering=0)
        self.records = 0

    def store(self, step, drifters):
        for ident, (x, y) in enumerate(drifters):
            speed = math.hypot(x - 1.0, y - 0.5)
            self.out.write(RECORD.pack(ident, step, x, y, speed))
        self.records += len(drifters)

    def close(self):
        self.out.close()


def main(steps, n_drifters=1000, dt=0.1):
    gyre = Gyre()
    drifters = seed_drifters(n_drifters)
    tracks = TrackWriter("tracks.bin")
    for step in range(steps):
        if step % 5 == 0:
            advect(gyre, drifters, step * dt, 5 * dt)
        tracks.store(step, drifters)
    tracks.close()
    cx = sum(p[0] for p in drifters) / n_drifters
    cy = sum(p[1] for p in drifters) / n_drifters
    print(f"{tracks.records} records, centre {cx:.6f} {cy:.6f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
