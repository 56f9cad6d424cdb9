"""Cyclic voltammetry at a disc electrode (one-electron couple, Butler-Volmer).

Explicit finite differences on a stretched diffusion layer; the measured
quantities of every potential step go to the run protocol of the potentiostat.
"""
import os
import sys

import numpy as np

# --- parameters -------------------------------------------------------------
STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 500
INNER = 30                      # diffusion sub-steps per potential step
E_START, E_TURN = 0.35, -0.35   # V against E0
K0 = 0.8                        # dimensionless rate constant
ALPHA = 0.5
CELLS = 400
F_RT = 38.92                    # 1/V


class Protocol:
    """Measured points, one line each."""

    def __init__(self, name):
        self.file = open(name, "w")
        self.file.write("step,potential,current,surface_ox\n")

    def point(self, step, potential, current, surface):
        self.file.write(f"{step},{potential:.6f},{current:.8e},{surface:.6f}\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def close(self):
        self.file.close()


class Electrode:
    def __init__(self, cells):
        self.ox = np.ones(cells)
        self.red = np.zeros(cells)
        self.lam = 0.45         # D dt / dx^2

    def relax(self):
        for c in (self.ox, self.red):
            c[1:-1] += self.lam * (c[2:] - 2.0 * c[1:-1] + c[:-2])

    def react(self, potential):
        theta = F_RT * potential
        forward = K0 * np.exp(-ALPHA * theta)
        backward = K0 * np.exp((1.0 - ALPHA) * theta)
        flux = (forward * self.ox[1] - backward * self.red[1]) / (1.0 + forward + backward)
        self.ox[0] = self.ox[1] - flux
        self.red[0] = self.red[1] + flux
        return flux


def sweep(steps):
    """Triangular potential programme."""
    half = steps // 2
    down = np.linspace(E_START, E_TURN, half, endpoint=False)
    up = np.linspace(E_TURN, E_START, steps - half)
    return np.concatenate([down, up])


def main():
    programme = sweep(STEPS)
    cell = Electrode(CELLS)
    protocol = Protocol("run_protocol.csv")
    currents = np.empty(STEPS)

    for n, potential in enumerate(programme):
        for _ in range(INNER):
            currents[n] = cell.react(potential)
            cell.relax()
        protocol.point(n, potential, currents[n], cell.ox[0])
    protocol.close()

    cathodic, anodic = int(currents.argmax()), int(currents.argmin())
    print(f"cathodic peak {currents[cathodic]:.5f} at {programme[cathodic]:.4f} V")
    print(f"anodic peak   {currents[anodic]:.5f} at {programme[anodic]:.4f} V")
    print(f"peak separation {1000 * (programme[anodic] - programme[cathodic]):.1f} mV")


if __name__ == "__main__":
    main()
