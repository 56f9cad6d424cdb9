"""Spread of a wildfire over a valley, with the track of the fire front.

usage: fire.py size hours seed

The terrain and the fuel are random fields; the fire spreads from cell to cell with a rate
that depends on the fuel, the slope and the wind, which turns slowly (after Rothermel, much
simplified). The front of every step of three minutes is kept: a row for each cell with its
position, the time, the rate of spread and the fireline intensity. The rows stay available
in front.npy for the crew's map while the model runs.
"""
import os
import sys

import numpy as np

STEP = 3.0               # minutes
CELL = 30.0              # metres
HEAT = 18000.0           # kJ per kg of dry fuel


def smooth_field(rng: np.random.Generator, size: int, power: float) -> np.ndarray:
    """A random field with a power-law spectrum, zero mean and unit variance."""
    kx = np.fft.fftfreq(size)[:, None]
    ky = np.fft.rfftfreq(size)[None, :]
    k = np.hypot(kx, ky)
    k[0, 0] = 1
    spectrum = (rng.standard_normal(k.shape) + 1j * rng.standard_normal(k.shape)) * k ** -power
    spectrum[0, 0] = 0
    field = np.fft.irfft2(spectrum, s=(size, size))
    return (field / field.std()).astype(np.float32)


class Valley:
    def __init__(self, rng: np.random.Generator, size: int):
        self.height = 140 * smooth_field(rng, size, 1.9)
        self.fuel = np.clip(1.2 + 0.5 * smooth_field(rng, size, 1.2), 0.1, None)   # kg/m2
        self.moisture = np.clip(0.09 + 0.03 * smooth_field(rng, size, 1.5), 0.02, 0.25)
        self.arrival = np.full((size, size), np.inf, dtype=np.float32)
        self.heat = np.zeros((size, size), dtype=np.float32)
        self.arrival[size // 2 - 2:size // 2 + 3, size // 2 - 2:size // 2 + 3] = 0


def rate_of_spread(valley: Valley, dy: int, dx: int, wind: tuple[float, float]) -> np.ndarray:
    """Metres a minute from each cell to its neighbour at (dy, dx)."""
    distance = CELL * np.hypot(dy, dx)
    slope = (np.roll(valley.height, (-dy, -dx), (0, 1)) - valley.height) / distance
    along = (wind[0] * dy + wind[1] * dx) / np.hypot(dy, dx)
    base = 9.0 * np.sqrt(valley.fuel) * np.exp(-9 * valley.moisture)
    return base * np.exp(np.clip(0.18 * along + 1.5 * slope, -2, 2)).astype(np.float32)


def spread(valley: Valley, minute: float, wind: tuple[float, float]) -> np.ndarray:
    """Lets the fire go on for a step; the rows of the front."""
    burning = np.isfinite(valley.arrival)
    fastest = np.zeros_like(valley.heat)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy == 0 and dx == 0:
                continue
            rate = rate_of_spread(valley, dy, dx, wind)
            gain = np.where(burning, rate * STEP / (CELL * np.hypot(dy, dx)), 0)
            gain = np.roll(gain, (dy, dx), (0, 1))
            valley.heat += np.where(burning, 0, gain / 3)
            np.maximum(fastest, np.where(burning, 0, gain), out=fastest)
    edge = (fastest > 0) & ~burning
    valley.arrival[edge & (valley.heat >= 1)] = minute
    y, x = np.nonzero(edge)
    speed = fastest[y, x] * CELL / STEP
    intensity = HEAT * valley.fuel[y, x] * speed / 60
    return np.stack([y * CELL, x * CELL, np.full(len(y), minute), speed, intensity,
                     valley.height[y, x], valley.moisture[y, x], valley.heat[y, x]], axis=1)


def keep(rows: list[np.ndarray]) -> None:
    """Puts the track so far in place of the previous one."""
    np.save("front.tmp.npy", np.concatenate(rows))
    os.replace("front.tmp.npy", "front.npy")


def main() -> None:
    size, hours, seed = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    rng = np.random.default_rng(seed)
    valley = Valley(rng, size)
    rows: list[np.ndarray] = []
    steps = int(hours * 60 / STEP)
    for step in range(1, steps + 1):
        angle = 0.6 + 0.8 * np.sin(2 * np.pi * step / steps)
        wind = (4 * np.sin(angle), 4 * np.cos(angle))
        rows.append(spread(valley, step * STEP, wind))
        if step % 40 == 0 or step == steps:
            keep(rows)
    burnt = np.isfinite(valley.arrival).mean()
    with open("summary.txt", "w") as out:
        for front in rows[::20]:
            if len(front):
                out.write(f"{front[0, 2]:7.1f} {len(front):6d} {front[:, 4].max():10.1f}\n")
        out.write(f"# burnt {100 * burnt:.2f} %, {sum(map(len, rows))} rows\n")
    print(f"burnt {100 * burnt:.2f} % of the valley")


if __name__ == "__main__":
    main()
