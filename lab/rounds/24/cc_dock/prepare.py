import os
os.makedirs("mpilib", exist_ok=True)      # mpi4py wheels look for MPICH under its ABI name
os.symlink("/usr/lib/x86_64-linux-gnu/libmpich.so.12", "mpilib/libmpi.so.12")
import random
random.seed(5)
os.makedirs("ligands", exist_ok=True)
for k in range(9):
    with open(f"ligands/lig{k:02d}.xyz", "w") as f:
        n = 60
        f.write(f"{n}\nligand {k}\n")
        for i in range(n):
            f.write("C %.4f %.4f %.4f\n" % tuple(random.uniform(-6, 6) for _ in range(3)))
# stands for an external scoring program of the kind called through ASE or AutoDock wrappers
open("score.py", "w").write('''import math, sys
path, sweeps = sys.argv[1], int(sys.argv[2])
atoms = [tuple(map(float, l.split()[1:])) for l in open(path).read().splitlines()[2:]]
best = 1e9
for s in range(sweeps):
    a = 0.37 * s
    ca, sa = math.cos(a), math.sin(a)
    e = 0.0
    for x, y, z in atoms:
        u, w = ca * x - sa * y, sa * x + ca * y
        r2 = (u - 1) ** 2 + (w + 2) ** 2 + (z - 0.5) ** 2 + 1.0
        e += 1 / r2 ** 3 - 2 / r2 ** 1.5 + 0.1 * math.cos(u) * math.sin(w)
    best = min(best, e)
print("SCORE %.8f" % best)
''')
