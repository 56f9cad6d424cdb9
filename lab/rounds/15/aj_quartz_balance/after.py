# Quartz crystal microbalance: deposition of a polymer film, run file in HDF5
#
# The resonator is modelled with Sauerbrey mass load and a viscous liquid term;
# a phase-locked loop follows the resonance.  Frequency, dissipation, temperature
# and film thickness are stored for every gate time.

import sys

import h5py
import numpy as np

# %% parameters
GATES = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
F0 = 5.0e6                # Hz, fundamental
SAUERBREY = 17.7e-9       # g / cm^2 / Hz
RHO_FILM = 1.08           # g / cm^3
TAU_TEMP = 900.0          # gates, thermal time constant of the cell
CHANNELS = ["frequency", "dissipation", "temperature", "thickness"]
rng = np.random.default_rng(2718)


# %% physics
def film_mass(gate):
    """Langmuir-type uptake in three dosing pulses, g/cm^2."""
    mass = 0.0
    for start, amount in ((0.1, 2.4e-6), (0.4, 1.6e-6), (0.7, 0.9e-6)):
        t = gate / GATES - start
        if t > 0:
            mass += amount * (1.0 - np.exp(-t / 0.05))
    return mass


def liquid_shift(temp):
    """Kanazawa-Gordon shift of a water-like liquid, Hz."""
    eta = 1.0e-2 * np.exp(-0.024 * (temp - 20.0))
    return -(F0 ** 1.5) * np.sqrt(eta * 0.998 / (np.pi * 2.648 * 2.947e11))


class PhaseLock:
    def __init__(self):
        self.f, self.integral = F0, 0.0

    def follow(self, f_true):
        err = f_true - self.f + rng.normal(0.0, 0.4)
        self.integral += 0.02 * err
        self.f += 0.3 * err + self.integral * 0.05
        return self.f


# %% run file
class RunFile:
    def __init__(self, name):
        self.h5 = h5py.File(name, "w")
        self.gates = self.h5.create_dataset("gates", (GATES, len(CHANNELS)), dtype="f8")
        self.gates.attrs["channels"] = CHANNELS
        self.gates.attrs["f0"] = F0
        self.n = 0
        self.rows = np.empty((GATES, len(CHANNELS)))

    def append(self, values):
        self.rows[self.n] = np.array(values)
        self.n += 1

    def close(self):
        self.gates[:] = self.rows
        self.h5.close()


# %% measurement
lock = PhaseLock()
run = RunFile("run_0412.h5")
temp = 21.0
thickness = 0.0
base = liquid_shift(temp)
for gate in range(GATES):
    temp += (22.5 - temp) / TAU_TEMP + rng.normal(0.0, 0.002)
    mass = film_mass(gate)
    f_true = F0 - mass / SAUERBREY + liquid_shift(temp) - base
    f = lock.follow(f_true)
    thickness = (F0 - f) * SAUERBREY / RHO_FILM * 1e7          # nm
    dissipation = 1e-6 * (2.0 + 0.03 * thickness / 10) + rng.normal(0.0, 2e-8)
    run.append((f, dissipation, temp, thickness))
run.close()

print(f"{GATES} gates, final thickness {thickness:.2f} nm, cell at {temp:.2f} C")
