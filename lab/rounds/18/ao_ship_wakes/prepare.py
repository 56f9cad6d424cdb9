# Offsets of a hull: length, draught and the half breadths at stations and waterlines.
import math

STATIONS, LINES = 41, 12
with open("hull.txt", "w") as f:
    f.write(f"{STATIONS} {LINES} 80.0 4.5 12.0\n")
    for s in range(STATIONS):
        x = 2 * s / (STATIONS - 1) - 1
        row = [(1 - x * x) * (1 - (w / (LINES - 1)) ** 2) * (1 + 0.06 * math.sin(3 * x)) for w in range(LINES)]
        f.write(" ".join(f"{v:.5f}" for v in row) + "\n")
