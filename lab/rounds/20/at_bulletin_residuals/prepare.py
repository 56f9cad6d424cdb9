import sys, random, array, struct, math
ev, nd, nz = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
random.seed(77)
with open("ttimes.grid", "wb") as f:
    f.write(struct.pack("<4sIIff", b"TTG1", nd, nz, 1.0, 0.5))
    for z in range(nz):
        dz = (z * 0.5) ** 2
        array.array("f", [math.sqrt(d * d + dz) / 6.1 for d in range(nd)]).tofile(f)
with open("bulletin.txt", "w") as f:
    for e in range(ev):
        f.write("EVENT %d %.2f\n" % (e, random.uniform(2, 60)))
        for k in range(6):
            d = random.uniform(5, 900)
            f.write("ARR S%03d %.2f %.3f\n" % (random.randrange(400), d, d / 6.1 + random.gauss(0, 0.6)))
