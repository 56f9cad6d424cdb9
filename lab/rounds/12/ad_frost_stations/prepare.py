"""Daily minimum temperatures of 24 climate stations, one text file each."""
import math
import os
import random

random.seed(1879)
os.mkdir("stations")
for s in range(24):
    height = random.uniform(150, 1600)
    with open("stations/TN_%03d.txt" % s, "w") as f:
        f.write("# station %03d height %.0f\n" % (s, height))
        for year in range(1980, 2010):
            warm = 0.03 * (year - 1980) + random.gauss(0, 0.6)
            for day in range(60, 170):
                t = -3 + 16 * math.sin(math.pi * (day - 60) / 220.0) - 0.0055 * (height - 400) + warm
                f.write("%d %d %.1f\n" % (year, day, t + random.gauss(0, 3.2)))
