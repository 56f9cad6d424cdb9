"""The group's collections of stopping tables; few pairs have been measured."""
import math
import os

names = ["local", "beamtime_2019", "beamtime_2021", "beamtime_2023", "paul_db", "icru49",
         "icru73", "astar", "pstar", "ziegler", "munich", "lyon"]
pairs = [(2, 79, 9), (2, 13, 5), (6, 47, 10), (8, 29, 11), (20, 79, 3), (36, 22, 1),
         (54, 6, 11), (18, 28, 4), (10, 73, 6)]

for n in names:
    os.makedirs("tables/" + n)
for z1, z2, where in pairs:
    with open(f"tables/{names[where]}/S_{z1:02d}_in_{z2:02d}.dat", "w") as f:
        for k in range(40):
            e = 0.05 * 1.15 ** k
            f.write(f"{e:.5f} {0.9 * z1 * math.sqrt(z2) * e ** -0.5:.5f}\n")
