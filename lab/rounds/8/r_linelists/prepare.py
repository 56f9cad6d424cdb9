"""Write a line-list database spread over release folders, and a target list."""
import os
import struct
import random

random.seed(4)
SPECIES = ["Fe1", "Fe2", "Ti1", "Ti2", "Ca1", "Mg1", "Si1", "Ni1", "Cr1", "Na1", "Al1", "Mn1"]
RELEASES = ["user", "local", "patch_2024b", "patch_2024a"] + ["vald_%d" % y for y in range(2023, 1995, -1)]

for r in RELEASES:
    os.makedirs(os.path.join("linedb", r), exist_ok=True)
for k, sp in enumerate(SPECIES):
    for ion_band in range(8):
        rel = RELEASES[-1 - (k + ion_band) % 3]
        with open(os.path.join("linedb", rel, "%s_b%d.lin" % (sp, ion_band)), "wb") as f:
            for i in range(40):
                f.write(struct.pack("<3d", 4000 + 500 * ion_band + 12.5 * i + random.random(),
                                    -3 + 3 * random.random(), 5 * random.random()))
