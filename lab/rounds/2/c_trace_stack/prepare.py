import array, random, struct

random.seed(17)
ntr, ns = 2200, 1000
noise = array.array('f', [random.gauss(0.0, 1.0) for _ in range(65536)])
with open("shots.trc", "wb") as f:
    f.write(struct.pack("<iif", ntr, ns, 0.002))
    for t in range(ntr):
        f.write(struct.pack("<if", 100 + t % 48, 25.0 * (t % 48)))
        o = random.randrange(65536 - ns)
        noise[o:o + ns].tofile(f)
