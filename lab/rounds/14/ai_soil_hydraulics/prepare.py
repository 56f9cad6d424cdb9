# measured profiles for a handful of map cells (everything else uses the texture map)
import os, random
random.seed(6)
os.mkdir("profiles")
cells = set()
while len(cells) < 14:
    cells.add((random.randint(1, 200), random.randint(1, 140)))
with open("profiles/INDEX", "w") as idx:
    for i, j in sorted(cells):
        name = "cell_%04d_%04d.par" % (i, j)
        idx.write("%d %d\n" % (i, j))
        with open("profiles/" + name, "w") as f:
            f.write("%.3f %.3f %.4f %.3f %.2f\n" % (0.05, random.uniform(0.38, 0.5),
                    random.uniform(0.01, 0.04), random.uniform(1.2, 1.9), random.uniform(5, 60)))
