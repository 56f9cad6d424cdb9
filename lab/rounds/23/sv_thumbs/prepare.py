import os, random, struct, zlib
r = random.Random(247)
os.makedirs("guider")
W = 384
lev = bytes(b // 8 + 30 for b in range(256))
def chunk(k, d):
    return struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d))
for k in range(28):
    px = bytearray(r.randbytes(W * W).translate(lev))
    for _ in range(80):
        px[r.randrange(W * W)] = 255
    raw = b"".join(b"\0" + bytes(px[y * W:(y + 1) * W]) for y in range(W))
    d = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", W, W, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(raw, 1)) + chunk(b"IEND", b"")
    with open(f"guider/g{k:04d}.png", "wb") as f:
        f.write(d if k != 27 else d[:20])
