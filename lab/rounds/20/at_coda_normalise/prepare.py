import sys, random, array
n, m = int(sys.argv[1]), 64
random.seed(23)
base = array.array("f", [random.gauss(0, 50) for _ in range(20000)])
with open("coda.dat", "wb") as f:
    for k in range(n):
        o = (k * 53) % 19000
        f.write(base[o:o + m].tobytes())
