"""Shallow-water ocean basin, hourly fields packed in an HDF5 file.

usage: before.py HOURS
"""
import sys

import h5py
import numpy as np

NY, NX = 160, 192
DX = 5.0e3
DT = 10.0
GRAVITY = 9.81
DEPTH = 100.0
STEPS_PER_HOUR = 360
TIDES = {"M2": 12.4206, "S2": 12.0, "N2": 12.6583, "K1": 23.9345, "O1": 25.8193}


def coriolis():
    y = (np.arange(NY) - NY / 2) * DX
    return (1.0e-4 + 2.0e-11 * y)[:, None]


def wind_stress(hour):
    y = np.linspace(0, np.pi, NY)[:, None]
    return 1.0e-6 * np.sin(y) * (1.0 + 0.3 * np.cos(2 * np.pi * hour / 24.0)) * np.ones((1, NX))


def step(h, u, v, f, stress):
    dhdx = (np.roll(h, -1, 1) - np.roll(h, 1, 1)) / (2 * DX)
    dhdy = np.zeros_like(h)
    dhdy[1:-1] = (h[2:] - h[:-2]) / (2 * DX)
    lap_u = np.roll(u, 1, 1) + np.roll(u, -1, 1) - 2 * u
    lap_v = np.roll(v, 1, 1) + np.roll(v, -1, 1) - 2 * v
    u_new = u + DT * (f * v - GRAVITY * dhdx + stress - 1e-6 * u) + 0.02 * lap_u
    v_new = v + DT * (-f * u - GRAVITY * dhdy - 1e-6 * v) + 0.02 * lap_v
    v_new[0] = v_new[-1] = 0.0
    div = (np.roll(u_new, -1, 1) - np.roll(u_new, 1, 1)) / (2 * DX)
    div[1:-1] += (v_new[2:] - v_new[:-2]) / (2 * DX)
    return h - DT * DEPTH * div, u_new, v_new


def create_output(name, hours):
    store = h5py.File(name, "w")
    store.attrs["title"] = "basin circulation"
    store.attrs["grid_spacing"] = DX
    store.attrs["time_step"] = DT
    for tide, period in TIDES.items():
        store.attrs["period_" + tide] = period
    for name, units in (("surface", "m"), ("u", "m/s"), ("v", "m/s")):
        field = store.create_dataset(name, (hours, NY, NX), dtype="f4", chunks=(1, NY, NX),
                                     compression="gzip", compression_opts=1, shuffle=True)
        field.attrs["units"] = units
        field.attrs["valid_range"] = (-50.0, 50.0)
    store.create_dataset("energy", (hours,), dtype="f8")
    return store


def pack(field, digits):
    """Keeps the digits that matter, so that the packed file is small."""
    scale = 10.0 ** digits
    return (np.round(field * scale) / scale).astype(np.float32)


def main():
    hours = int(sys.argv[1])
    f = coriolis()
    y, x = np.mgrid[0:NY, 0:NX]
    h = 0.5 * np.exp(-((x - NX / 3) ** 2 + (y - NY / 2) ** 2) / 300.0)
    u, v = np.zeros_like(h), np.zeros_like(h)
    store = create_output("basin.h5", hours)
    for hour in range(hours):
        stress = wind_stress(hour)
        for _ in range(STEPS_PER_HOUR):
            h, u, v = step(h, u, v, f, stress)
        store["surface"][hour] = pack(h, 3)
        store["u"][hour] = pack(u, 3)
        store["v"][hour] = pack(v, 3)
        store["energy"][hour] = 0.5 * float((DEPTH * (u * u + v * v) + GRAVITY * h * h).mean())
    energy = store["energy"][...]
    store.close()
    print(f"{hours} hours, energy {energy[0]:.6f} -> {energy[-1]:.6f}")


if __name__ == "__main__":
    main()
