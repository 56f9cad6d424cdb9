import random, os
r = random.Random(23)
os.mkdir("vol")
blob = r.randbytes(4 << 20)
for h in range(24):
    k = r.randint(1000, len(blob) - 1000)
    with open("vol/radar_%02d00.vol" % h, "wb") as f:
        f.write(blob[k:] + blob[:k - r.randint(0, 999)])
