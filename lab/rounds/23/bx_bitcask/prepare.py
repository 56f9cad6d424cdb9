import os, random, struct, zlib
random.seed(2309)
os.mkdir("store")
pool = random.randbytes(1 << 20)
for seg in range(4):
    with open("store/%03d.data" % seg, "wb") as f, open("store/%03d.hint" % seg, "wb") as h:
        at = 0; out = []; hint = []
        for i in range(100000):
            k = random.randrange(280000); n = random.randrange(60, 240); p = random.randrange(len(pool) - 300)
            v = pool[p:p + n]
            out.append(struct.pack("<IIQ", zlib.crc32(v), n, k) + v)
            hint.append(struct.pack("<QQI", k, at, n)); at += 16 + n
        f.write(b"".join(out)); h.write(b"".join(hint))
