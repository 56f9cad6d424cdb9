import random, struct
r = random.Random(237)
lo = bytes(b & 1 for b in range(256))
with open("exposures.bin", "wb") as f:
    for k in range(90):
        nx, ny = 192, 128
        f.write(struct.pack("<4sIiiiiff", b"EXPO", 9000 + k, r.randrange(1536 - nx), r.randrange(1024 - ny), nx, ny,
                            26.5 + r.random(), 80 + 20 * r.random()))
        raw = bytearray(r.randbytes(nx * ny * 2))
        raw[1::2] = bytes(raw[1::2]).translate(lo)
        for _ in range(20):
            p = r.randrange(nx * ny); raw[2 * p + 1] = 0x60
        f.write(raw)
