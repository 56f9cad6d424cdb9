# A meshed transmission network: buses with injections, branches with reactances and ratings.
import random

random.seed(11)
BUSES, EXTRA = 80, 101
branches = []
for bus in range(1, BUSES):
    branches.append((bus, random.randrange(max(0, bus - 6), bus)))
while len(branches) < BUSES - 1 + EXTRA:
    a = random.randrange(BUSES)
    b = min(BUSES - 1, max(0, a + random.randrange(-12, 13)))
    if a != b:
        branches.append((a, b))
injection = [random.gauss(0, 80) for _ in range(BUSES)]
mean = sum(injection) / BUSES
with open("network.txt", "w") as f:
    f.write(f"{BUSES} {len(branches)}\n")
    for p in injection:
        f.write(f"{p - mean:.4f}\n")
    for a, b in branches:
        f.write(f"{a} {b} {random.uniform(0.02, 0.12):.5f} {random.uniform(90, 320):.1f}\n")
