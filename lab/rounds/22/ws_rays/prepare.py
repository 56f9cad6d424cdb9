import random, struct
r = random.Random(12)
with open("volume.rad", "wb") as f:
    for s in range(3):
        f.write(b"SWP1" + struct.pack("<HHfI", 300, 480, 0.5 + s * 1.3, 1700000000 + 20 * s))
        for a in range(300):
            ray = bytearray()
            while len(ray) < 480:
                ray += bytes([r.choice((0, 0, 0, 70, 80, 95, 110, 120)) + r.randint(0, 3)]) * r.randint(3, 25)
            f.write(bytes(ray[:480]))
