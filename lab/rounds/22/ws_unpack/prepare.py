import random, struct
r = random.Random(15)
with open("fields.grb", "wb") as f:
    for m in range(130):
        if m % 20 == 7:
            f.write(b"GRB0" + struct.pack("<IHHifi", 1000, 99, 0, m, 0.0, 0) + b"\0" * 1000)
            continue
        d = r.randbytes(320 * 240 * 3 // 2)
        f.write(b"GRB0" + struct.pack("<IHHifi", len(d), m % 7, 1000 - 50 * (m % 11), m // 7 * 3, 230.0 + m % 7, -6) + d)
