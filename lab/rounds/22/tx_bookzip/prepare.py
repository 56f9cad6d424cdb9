import random, zipfile
rng = random.Random(2204)
vocab = ["".join(rng.choice("abcdefghijklmnoprstuv") for _ in range(rng.randint(2, 9))) for _ in range(3000)]
names = []
with zipfile.ZipFile("gutenberg.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for i in range(1500):
        name = "gutenberg/raw/%02d/pg%05d.txt" % (i % 40, i)
        names.append(name)
        text = " ".join(rng.choice(vocab) for _ in range(350))
        z.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
with open("wanted.txt", "w") as f:
    f.write("# texts of the sample\n")
    for n in rng.sample(names, 260):
        f.write(n + "\n")
