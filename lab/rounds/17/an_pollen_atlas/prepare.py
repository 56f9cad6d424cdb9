# Grains of a core and an atlas in which most species have no sheet of their own.
import os
import random

random.seed(23)
COLLECTIONS = ["alps", "andes", "atlas", "baltic", "balkans", "carpathia", "caucasus",
               "iberia", "levant", "maghreb", "patagonia", "pyrenees", "sahel", "taiga"]
GENERA = ["abies", "acer", "alnus", "artemisia", "betula", "carpinus", "corylus", "ephedra",
          "fagus", "fraxinus", "juniperus", "larix", "olea", "picea", "pinus", "plantago",
          "quercus", "salix", "tilia", "ulmus"]
for c in COLLECTIONS:
    os.makedirs(os.path.join("atlas", c), exist_ok=True)


def sheet(taxon):
    with open(os.path.join("atlas", random.choice(COLLECTIONS), taxon + ".sheet"), "w") as f:
        f.write(f"# {taxon}\n")
        for m, mean in (("axis", 32), ("breadth", 27), ("pore", 4), ("exine", 1.6)):
            f.write(f"{m} {mean * random.uniform(0.8, 1.2):.3f} {mean * 0.15:.3f}\n")


species = []
for g in GENERA:
    sheet(g)
    for k in range(12):
        species.append(f"{g}_{'abcdefghijkl'[k]}{random.randrange(1000)}")
        if k < 3:
            sheet(species[-1])
with open("grains.csv", "w") as f:
    f.write("depth,species,axis,breadth,pore,exine\n")
    for i in range(70000):
        f.write(f"{5 * (i // 1750)},{random.choice(species)},{random.gauss(32, 5):.2f},"
                f"{random.gauss(27, 4):.2f},{random.gauss(4, 0.6):.2f},{random.gauss(1.6, 0.25):.2f}\n")
