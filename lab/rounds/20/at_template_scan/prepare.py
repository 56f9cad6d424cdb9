import sys, random, array
n = int(sys.argv[1])
random.seed(5)
base = [random.gauss(0, 1) for _ in range(65536)]
tmpl = [random.gauss(0, 1) for _ in range(128)]
with open("day.f32", "wb") as f:
    left = n
    k = 0
    while left > 0:
        a = array.array("f", base[k % 1000:k % 1000 + min(left, 60000)])
        p = (k * 977) % 50000
        if len(a) > p + 128:
            for i in range(128):
                a[p + i] += 3 * tmpl[i]
        a.tofile(f)
        left -= len(a)
        k += 37
with open("template.f32", "wb") as f:
    array.array("f", tmpl).tofile(f)
