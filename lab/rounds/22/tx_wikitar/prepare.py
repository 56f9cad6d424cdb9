import io, random, tarfile
rng = random.Random(2214)
vocab = ["".join(rng.choice("abcdefghiklmnoprstuw") for _ in range(rng.randint(2, 9))) for _ in range(6000)]
old = []
with tarfile.open("wiki.tar", "w") as t:
    for i in range(950):
        if i % 9 == 8:
            words = list(rng.choice(old))
            words[rng.randrange(len(words))] = "changed"
        else:
            words = [rng.choice(vocab) for _ in range(800)]
            old.append(words)
        data = " ".join(words).encode()
        info = tarfile.TarInfo("wiki/AA/%06d.txt" % i)
        info.size = len(data)
        t.addfile(info, io.BytesIO(data))
