import gzip, json, os, random
rng = random.Random(2217)
vocab = ["".join(rng.choice("abcdefghiklmnoprstuw") for _ in range(rng.randint(2, 9))) for _ in range(5000)]
os.makedirs("shards", exist_ok=True)
base = [[rng.choice(vocab) for _ in range(120)] for _ in range(150)]
for s in range(16):
    with open("shards/cc-%03d.jsonl.gz" % s, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, 0) as g:
        for d in range(110):
            w = list(rng.choice(base)) if d % 4 == 0 else [rng.choice(vocab) for _ in range(120)]
            w[rng.randrange(120)] = "x"
            g.write((json.dumps({"id": "%d-%d" % (s, d), "text": " ".join(w)}) + "\n").encode())
