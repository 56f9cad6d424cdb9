import random, struct, math
r = random.Random(233)
with open("swath.bin", "wb") as f:
    f.write(b"SWATH01\0")
    for day in range(4):
        for scan in range(220):
            lon0 = -180 + (scan * 7.3 + day * 2.1) % 360
            out = []
            for k in range(120):
                lat = -80 + 160 * r.random()
                lon = (lon0 + r.random() * 12 + 180) % 360 - 180
                out.append(struct.pack("<fffB3x", lat, lon, 300 - 25 * abs(math.sin(math.radians(lat))) + r.gauss(0, .5), r.randint(2, 5)))
            f.write(struct.pack("<HHI", day, scan, len(out)) + b"".join(out))
