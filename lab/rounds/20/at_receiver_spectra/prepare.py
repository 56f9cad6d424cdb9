import sys, random, array
n, m = int(sys.argv[1]), 8192
random.seed(41)
base = array.array("f", [random.gauss(0, 1) for _ in range(60000)])
with open("receivers.dat", "wb") as f:
    for k in range(n):
        o = (k * 4099) % 50000
        f.write(base[o:o + m].tobytes())
