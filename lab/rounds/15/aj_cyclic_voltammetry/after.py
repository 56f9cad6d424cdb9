#!/usr/bin/env python3
"""cv_sim: cyclic voltammogram of a reversible couple at a disc electrode.

One-dimensional diffusion of the oxidised species towards the electrode, Nernst
condition at the surface, triangular potential sweep.  Every sample of the sweep
becomes one record of the trace file, which the lab's viewer (cvview) reads.

usage: cv_sim.py SAMPLES_PER_SWEEP SWEEPS
"""
import os
import struct
import sys
from dataclasses import dataclass

import numpy as np

F_RT = 96485.332 / (8.314462 * 298.15)
FARADAY = 96485.332
SUBSTEPS = 150           # diffusion steps per sample
LAMBDA = 0.42            # D dt / dx^2


@dataclass
class Cell:
    e0: float = 0.21             # formal potential, V
    area: float = 0.0707         # electrode area, cm^2
    diff: float = 7.6e-6         # diffusion coefficient, cm^2/s
    c_bulk: float = 1.0e-6       # bulk concentration, mol/cm^3
    rate: float = 0.1            # sweep rate, V/s
    e_start: float = 0.55        # vertices of the sweep, V
    e_turn: float = -0.15

    @property
    def period(self):
        return 2 * abs(self.e_turn - self.e_start) / self.rate

    def potential(self, fraction):
        span = self.e_turn - self.e_start
        if fraction < 0.5:
            return self.e_start + 2 * fraction * span
        return self.e_turn - 2 * (fraction - 0.5) * span

    def surface(self, e):
        theta = np.exp(F_RT * (e - self.e0))
        return self.c_bulk * theta / (1 + theta)


class DiffusionLayer:
    def __init__(self, cell, dt):
        self.dx = np.sqrt(cell.diff * dt / LAMBDA)
        depth = 6 * np.sqrt(cell.diff * cell.period / 2)
        self.c = np.full(int(depth / self.dx) + 2, cell.c_bulk)

    def advance(self, c_surface):
        c = self.c
        for _ in range(SUBSTEPS):
            c[0] = c_surface
            c[1:-1] += LAMBDA * (c[2:] - 2 * c[1:-1] + c[:-2])

    def gradient(self):
        return (self.c[1] - self.c[0]) / self.dx


class Trace:
    """Trace file: records of time, potential, current, surface concentration."""

    RECORD = struct.Struct("<4d")

    def __init__(self, name):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        self.fd = os.open(name, flags, 0o644)

    def put(self, *values):
        os.write(self.fd, self.RECORD.pack(*values))

    def close(self):
        os.fdatasync(self.fd)
        os.close(self.fd)


def main():
    nsamp = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    sweeps = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    cell = Cell()
    layer = DiffusionLayer(cell, cell.period / nsamp / SUBSTEPS)
    trace = Trace("trace.cv")
    points = []
    for sweep in range(sweeps):
        for n in range(nsamp):
            t = (sweep + n / nsamp) * cell.period
            e = cell.potential(n / nsamp)
            c_surface = cell.surface(e)
            layer.advance(c_surface)
            current = -FARADAY * cell.area * cell.diff * layer.gradient()
            trace.put(t, e, current, c_surface)
            points.append((current, e))
    trace.close()
    i_pc, e_pc = min(points)
    i_pa, e_pa = max(points)
    print(f"cathodic peak {i_pc:.3e} A at {e_pc:.3f} V, anodic peak {i_pa:.3e} A at {e_pa:.3f} V, "
          f"separation {1e3 * (e_pa - e_pc):.1f} mV")


if __name__ == "__main__":
    main()
