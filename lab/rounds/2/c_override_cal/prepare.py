import os, random

random.seed(5)
os.makedirs("override")
with open("default.cal", "w") as f:
    for ch in range(48):
        f.write(f"{ch} {1.0 + random.gauss(0, 0.02):.5f} {random.gauss(0, 1.5):.4f}\n")
for _ in range(60):
    run, ch = random.randrange(12000), random.randrange(48)
    with open(f"override/r{run:05d}_c{ch:02d}.cal", "w") as f:
        f.write(f"{1.0 + random.gauss(0, 0.05):.5f} {random.gauss(0, 3):.4f}\n")
