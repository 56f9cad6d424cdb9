import os, random, struct
r = random.Random(239)
os.makedirs("fields")
for k in range(4):
    n = 20000
    with open(f"fields/field_{k:03d}.fld", "wb") as f:
        f.write(struct.pack("<II", 0x31444C46, n if k != 2 else n + 1))
        for _ in range(n):
            f.write(struct.pack("<ffffBBH", 10 + k + r.random(), r.random() * 2, r.gauss(100, 20), r.uniform(1, 5), r.randint(0, 2), int(r.random() < .05), r.randint(0, 61)))
