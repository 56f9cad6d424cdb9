import random
rng = random.Random(2206)
chars = [chr(0x4e00 + i) for i in range(9000)]
lat = "etaoinshrdlu"
with open("words.tsv", "w", encoding="utf-8") as f:
    seen = set()
    for c in chars:
        f.write("%s\t%d\n" % (c, rng.randint(1, 40)))
    while len(seen) < 2500:
        w = "".join(rng.choice(lat) for _ in range(rng.randint(3, 7)))
        if w not in seen:
            seen.add(w)
            f.write("%s\t%d\n" % (w, rng.randint(1, 300)))
