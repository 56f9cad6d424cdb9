import sys, random, array
n = int(sys.argv[1])
random.seed(17)
with open("model.bin", "wb") as f:
    array.array("i", [n, 3]).tofile(f)
    base = [random.random() for _ in range(5000)]
    for c in range(3):
        scale = (700.0, 5.5, 0.4)[c]
        a = array.array("f")
        block = array.array("f", [scale * (1 + 0.2 * b) for b in base])
        while len(a) < n:
            a.extend(block)
        a[:n].tofile(f)
open("source.nml", "w").write("&source\n depth = 12.5\n step = 0.8\n/\n")
