import os, random, struct
random.seed(2311)
os.mkdir("segments")
pool = random.randbytes(2 << 20)
for s in range(4):
    with open("segments/%d.seg" % s, "wb") as f:
        key = 0
        for i in range(110):
            key += random.randrange(1, 50)
            o = random.randrange(1 << 20)
            f.write(struct.pack("<QQ", key * 4 + s, 1 << 19) + pool[o:o + (1 << 19)])
