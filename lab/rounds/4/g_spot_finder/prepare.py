import array, random, struct
random.seed(5)
W = H = 4096
row0 = [random.randrange(90, 130) for _ in range(W + 977)]
with open("plate_0042.raw", "wb") as f:
    f.write(struct.pack("<4sIII", b"RAW2", W, H, 16).ljust(4096, b"\0"))
    for y in range(H):
        o = (y * 37) % 977
        r = array.array("H", row0[o:o + W])
        for k in range(3):
            x = random.randrange(4, W - 4)
            r[x] = 900 + (x * y) % 500
        f.write(r.tobytes())
