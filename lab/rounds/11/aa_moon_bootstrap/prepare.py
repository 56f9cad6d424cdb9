"""Makes a catalogue of crater diameters and depths."""
import random

random.seed(21)
with open("craters.csv", "w") as f:
    f.write("name,diameter_km,depth_km\n")
    for k in range(4000):
        d = 2.0 * random.paretovariate(1.8)
        f.write(f"C{k:05d},{d:.4f},{0.196 * d ** 1.01 * random.lognormvariate(0, 0.2):.5f}\n")
