"""Makes displaced-supercell force files for a small crystal, and a species table."""
import array
import os
import random

ATOMS = 108
random.seed(21)
os.makedirs("forces", exist_ok=True)
for d in range(ATOMS):
    f = array.array("d", (random.gauss(0.0, 1.0) for _ in range(3 * 3 * ATOMS)))
    with open(f"forces/disp_{d:03d}.bin", "wb") as out:
        out.write(f.tobytes())
with open("masses.txt", "w") as out:
    for a in range(ATOMS):
        out.write("%s %.4f\n" % (("Ga", 69.723) if a % 2 else ("As", 74.9216)))
