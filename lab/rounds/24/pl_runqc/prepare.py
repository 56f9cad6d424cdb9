import random, os
random.seed(7)
os.makedirs("lanes", exist_ok=True)
for s in range(7):
    with open(f"lanes/S{s+1:02d}.metrics.csv", "w") as f:
        f.write("tile,cycle,q30,intensity\n")
        for t in range(60):
            for c in range(1, 31):
                f.write(f"{1100+t},{c},{random.uniform(70,97):.2f},{random.randint(200,900)}\n")
with open("lane_qc.py", "w") as f:
    f.write('''"""lane_qc.py FILE...: quality figures of lane metric tables, one line per file"""
import sys
import numpy as np
import pandas as pd


def figures(path):
    table = pd.read_csv(path)
    per_cycle = table.groupby("cycle")["q30"].median()
    slope = np.polyfit(per_cycle.index.values, per_cycle.values, 1)[0]
    worst = table.groupby("tile")["intensity"].mean().idxmin()
    return f"{path}\\t{table['q30'].mean():.3f}\\t{slope:.4f}\\t{worst}"


for path in sys.argv[1:]:
    print(figures(path))
''')
