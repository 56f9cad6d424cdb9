"""Lagrangian drifters in a time-dependent double gyre; the path of every drifter is archived in HDF5."""
import argparse
import sys

import h5py
import numpy as np


def velocity(x, y, t, amp=0.1, eps=0.25, omega=0.6):
    a = eps * np.sin(omega * t)
    b = 1.0 - 2.0 * a
    f = a * x * x + b * x
    dfdx = 2.0 * a * x + b
    u = -np.pi * amp * np.sin(np.pi * f) * np.cos(np.pi * y)
    v = np.pi * amp * np.cos(np.pi * f) * np.sin(np.pi * y) * dfdx
    return u, v


def rk4(x, y, t, dt):
    u1, v1 = velocity(x, y, t)
    u2, v2 = velocity(x + 0.5 * dt * u1, y + 0.5 * dt * v1, t + 0.5 * dt)
    u3, v3 = velocity(x + 0.5 * dt * u2, y + 0.5 * dt * v2, t + 0.5 * dt)
    u4, v4 = velocity(x + dt * u3, y + dt * v3, t + dt)
    return x + dt * (u1 + 2 * u2 + 2 * u3 + u4) / 6, y + dt * (v1 + 2 * v2 + 2 * v3 + v4) / 6


def advect(n, steps, dt=0.1):
    rng = np.random.default_rng(19)
    x, y = 2.0 * rng.random(n), rng.random(n)
    path = np.empty((n, steps, 2), np.float32)
    for s in range(steps):
        path[:, s, 0], path[:, s, 1] = x, y
        x, y = rk4(x, y, s * dt, dt)
    life = rng.integers(steps // 4, steps, n)          # drifters fail after a while
    return [path[i, :life[i]] for i in range(n)]


def archive(name, tracks, dt=0.1):
    with h5py.File(name, "w") as f:
        f.attrs["dt"] = dt
        f.attrs["flow"] = "double gyre"
        group = f.create_group("drifters")
        for i, track in enumerate(tracks):
            group.create_dataset(f"drifter_{i:05d}", data=track)


def dispersion(tracks):
    d = np.array([np.hypot(*(t[-1] - t[0])) for t in tracks])
    return d.mean(), d.max()


def main(argv):
    ap = argparse.ArgumentParser()
    ap.add_argument("-n", "--drifters", type=int, default=7000)
    ap.add_argument("-s", "--steps", type=int, default=80)
    ap.add_argument("-o", "--output", default="drifters.h5")
    args = ap.parse_args(argv)
    tracks = advect(args.drifters, args.steps)
    archive(args.output, tracks)
    mean, top = dispersion(tracks)
    print(f"{len(tracks)} drifters, mean displacement {mean:.7f}, largest {top:.7f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
