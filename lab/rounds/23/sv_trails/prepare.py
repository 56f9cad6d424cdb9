import array, random
r = random.Random(243)
pool = array.array("f", (r.gauss(0, 5) for _ in range(300000)))
with open("diff.dat", "wb") as f:
    for k in range(80):
        s = r.randrange(300000 - 262144)
        a = pool[s:s + 262144]
        if k % 3:
            m, b = r.uniform(-.8, .8), r.randrange(100, 400)
            for x in range(512):
                y = int(m * x + b)
                if 0 <= y < 512:
                    a[y * 512 + x] += 40
        f.write(a.tobytes())
