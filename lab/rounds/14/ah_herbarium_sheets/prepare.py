# leaf masks cut out of scanned herbarium sheets, one file per leaf
import os, random
rng = random.Random(88)
os.mkdir("sheets")
genera = ["ACE", "BET", "COR", "FAG", "QUE", "SAL", "TIL", "ULM"]
n = 0
for sheet in range(900):
    g = genera[rng.randrange(8)]
    for leaf in range(2):
        w, h = 24, 32
        a, b = rng.uniform(5, 11), rng.uniform(8, 15)
        rows = bytearray()
        for y in range(h):
            for x in range(w):
                r = ((x - w / 2) / a) ** 2 + ((y - h / 2) / b) ** 2
                rows.append(1 if r < 1 + 0.1 * rng.random() else 0)
        with open(f"sheets/{sheet:05d}-{g}-leaf{leaf}.msk", "wb") as f:
            f.write(bytes((w, h)) + rows)
with open("catalogue.txt", "w") as f:
    f.write("\n".join(f"{s:05d}" for s in range(900)) + "\n")
