import random, struct, array
r = random.Random(14)
G, S = 120, 52560
base = array.array("h", [max(-1, int(r.gauss(-60, 60))) for i in range(S)])
with open("gauges.arc", "wb") as f:
    f.write(struct.pack("<ii", 0x47554147, G).ljust(4096, b"\0"))
    for g in range(G):
        k = r.randint(0, S - 1)
        f.write((base[k:] + base[:k]).tobytes())
with open("events.txt", "w") as f:
    for i in range(300000):
        n = r.choice((6, 18, 36, 72, 144))
        f.write("%d %d %d\n" % (r.randint(0, G - 1), r.randint(0, S - n + 2), n))
