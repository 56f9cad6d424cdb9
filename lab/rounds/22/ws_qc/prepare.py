import random, struct
r = random.Random(22)
out = []
base = [(r.uniform(-5, 25), r.uniform(0, 12), r.uniform(990, 1030)) for i in range(1500)]
with open("obs_month.dat", "wb") as f:
    for i in range(450000):
        t, w, p = base[i % 1500]
        x = r.random()
        t += r.gauss(0, 1.5) + (12 if x < .12 else 0)
        w = w if x > .6 else w + r.random()
        p += r.gauss(0, 1.6) + (200 if .12 < x < .15 else 0)
        out.append(struct.pack("<IIfffHHII", i % 1500 if i % 9973 else 5000, 1700000000 + i // 1500 * 600, t, w, p, 0 if r.random() < .8 else 8, 0, 0, 0))
    f.write(b"".join(out))
