import sys, math, random, array
stars, points = int(sys.argv[1]), int(sys.argv[2])
random.seed(31)
with open("curves.bin", "wb") as f:
    for s in range(stars):
        a = array.array("d")
        per = 0.5 + 0.1 * (s % 40)
        for k in range(points):
            t = k * 0.37 + random.random() * 0.1
            a.append(t)
            a.append(math.sin(2 * math.pi * t / per) + random.gauss(0, 0.3))
        a.tofile(f)
