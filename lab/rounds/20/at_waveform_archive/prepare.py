import sys, random, array
n = int(sys.argv[1])
random.seed(14)
base = array.array("h", [random.randint(-3000, 3000) for _ in range(4000)])
with open("segments.bin", "wb") as f:
    for k in range(n):
        ln = 20 + (k * 37) % 100
        array.array("h", [k % 24, ln]).tofile(f)
        f.write(base[(k * 91) % 3500:(k * 91) % 3500 + ln].tobytes())
