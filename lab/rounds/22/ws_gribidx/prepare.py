import random, struct
r = random.Random(21)
def sec(n, body): return struct.pack(">IB", 5 + len(body), n) + body
pool = r.randbytes(1 << 16)
with open("day.grb2", "wb") as f:
    out = []
    for m in range(150000):
        k = r.randint(250, 900)
        o = r.randint(0, 60000)
        b = (sec(1, b"\0" * 7 + struct.pack(">I", 1700000000 + m // 100 * 600) + b"\0" * 5)
             + sec(3, b"\0" + struct.pack(">I", k * 8 // 12) + b"\0" * 62)
             + sec(4, b"\0" * 4 + bytes([r.randint(0, 6), r.randint(0, 20)]) + struct.pack(">I", r.randint(0, 1000)) + b"\0" * 19)
             + sec(5, b"\0" * 14 + bytes([12, 0])) + sec(6, b"\xff") + sec(7, pool[o:o + k]))
        n = 16 + len(b) + 4
        out.append(b"GRIB\0\0\0\2" + struct.pack(">II", 0, n) + b + b"7777")
        if len(out) == 5000: f.write(b"".join(out)); out = []
    f.write(b"".join(out))
