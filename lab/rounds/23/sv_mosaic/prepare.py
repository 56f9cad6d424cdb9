import os, random, struct, zlib
r = random.Random(241)
os.makedirs("tiles")
T = 1024
lev = bytes((b % 12) * 4 + 20 for b in range(256))
def chunk(k, d):
    return struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d))
for row in range(3):
    for col in range(3):
        px = bytearray(r.randbytes(T * T).translate(lev))
        for _ in range(300):
            p = r.randrange(2 * T, T * T - 2 * T)
            for d in (-T, -1, 0, 1, T):
                px[p + d] = 200
        raw = b"".join(b"\0" + bytes(px[y * T:(y + 1) * T]) for y in range(T))
        with open(f"tiles/{row}_{col}.png", "wb") as f:
            f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", T, T, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw, 4)) + chunk(b"IEND", b""))
with open("targets.csv", "w") as f:
    f.write("field,name,x,y\n")
    for k in range(130):
        f.write(f"F{k % 6:02d},SN26{k:03d},{r.uniform(50, 3 * T - 50):.1f},{r.uniform(50, 3 * T - 50):.1f}\n")
