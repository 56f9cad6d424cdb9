import random, array, struct
r = random.Random(33)
N, H = 1100, 4380
base = array.array("f", [max(0.0, r.gauss(-0.6, 1.6)) for i in range(H * 3)])
with open("rain.bin", "wb") as f:
    f.write(struct.pack("<IIII", N, H, 0, 0))
    for c in range(N):
        k = r.randint(0, 2 * H - 1)
        f.write(base[k:k + H].tobytes())
