import sys, random, array, os
n = int(sys.argv[1])
random.seed(2)
os.makedirs("calib/NZ", exist_ok=True)
for s in range(8):
    with open("calib/NZ/STA%d.cal" % s, "w") as f:
        f.write("gain %.4f\noffset %.3f\n" % (1 + s * 0.05, s * 2.5))
with open("amplitudes.bin", "wb") as f:
    base = array.array("i")
    for i in range(40000):
        base.append(random.randint(0, 7))
        base.append(random.randint(-20000, 20000))
    left = n
    while left > 0:
        k = min(left, 40000)
        base[:2 * k].tofile(f)
        left -= k
