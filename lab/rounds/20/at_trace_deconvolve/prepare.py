import sys, random, array
n = int(sys.argv[1])
random.seed(7)
base = array.array("f", [random.gauss(0, 100) for _ in range(20000)])
with open("traces.bin", "wb") as f:
    for k in range(n):
        o = (k * 131) % 19000
        f.write(base[o:o + 400].tobytes())
with open("deconv.conf", "w") as f:
    f.write("samples=400\nwaterlevel=0.02\npole=0.97\n")
