import os
import random
import sys

lots, n = int(sys.argv[1]), int(sys.argv[2])
random.seed(14)
os.makedirs("lots")
for k in range(lots):
    name = ["karst", "polder", "upland"][k % 3]
    with open(f"lots/{name}-{k:02d}.csv", "w") as f:
        f.write("tray,mass,length,germinated\n")
        for i in range(n):
            f.write(f"{i // 200},{random.gauss(12 + k % 3, 3):.4f},{random.gauss(6, 1):.4f},{int(random.random() < 0.8)}\n")
