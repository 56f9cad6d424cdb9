import random, struct, zlib
random.seed(2304)
tab = bytes(ord("ACGT"[i & 3]) for i in range(256))
qt = bytes(33 + 20 + (i % 20) for i in range(256))
out = open("sample.sam.bgz", "wb")
idx = []
def block(data):
    c = zlib.compressobj(6, zlib.DEFLATED, -15)
    z = c.compress(data) + c.flush()
    out.write(b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0" + struct.pack("<H", len(z) + 25) + z
              + struct.pack("<II", zlib.crc32(data), len(data)))
pos, cur, n = 1000, [], 0
for i in range(60000):
    pos += random.randrange(60)
    s = random.randbytes(110).translate(tab); q = random.randbytes(110).translate(qt)
    r = b"read%06d\t%d\tchr1\t%d\t%d\t110M\t*\t0\t0\t%s\t%s\n" % (i, random.choice((0, 16)), pos, random.randrange(61), s, q)
    if n + len(r) > 60000:
        block(b"".join(cur)); cur, n = [], 0
    idx.append((i, out.tell() << 16 | n))
    cur.append(r); n += len(r)
block(b"".join(cur)); out.write(bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000"))
out.close()
with open("sample.qni", "wb") as f:
    for i, v in idx: f.write(struct.pack("<QQ", i, v))
with open("wanted.txt", "w") as f:
    for i in random.sample(range(60000), 4500): f.write("read%06d\n" % i)
