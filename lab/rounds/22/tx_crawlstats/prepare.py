import gzip, os, random
rng = random.Random(2210)
vocab = ["".join(rng.choice("abcdefghiklmnoprstuw") for _ in range(rng.randint(2, 9))) for _ in range(4000)]
for h in range(12):
    d = "crawl/host%02d.example" % h
    os.makedirs(d, exist_ok=True)
    for p in range(56):
        body = " ".join(rng.choice(vocab) for _ in range(400))
        html = "<html><head><title>p%d</title></head><body><p>%s</p></body></html>" % (p, body)
        with open("%s/page%04d.html.gz" % (d, p), "wb") as raw:
            with gzip.GzipFile("", "wb", 6, raw, 0) as g:
                g.write(html.encode())
