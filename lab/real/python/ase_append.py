"""Molecular dynamics of a small cluster that appends each frame to a file (ase)."""

from ase.build import molecule
from ase.io import write

atoms = molecule("H2O")
for step in range(3000):
    atoms.positions += 0.001
    write("trajectory.xyz", atoms, append=True)
