import os
import random

random.seed(77)
for d in ("local", "catchment", "region", "national"):
    os.makedirs(os.path.join("params", d), exist_ok=True)
for k in range(120):
    i, j = random.randrange(200), random.randrange(200)
    d = random.choice(("local", "catchment", "region", "national"))
    with open(os.path.join("params", d, f"cell_{i:04d}_{j:04d}.par"), "w") as f:
        f.write(f"capacity {60 + random.random() * 240:.3f}\n")
        f.write(f"drainage {0.01 + random.random() * 0.05:.5f}\n")
