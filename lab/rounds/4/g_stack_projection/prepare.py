import array, random
random.seed(3)
W = H = 1024
row = array.array("H", [random.randrange(80, 400) for _ in range(W + 1999)])
with open("stack.img", "wb") as f:
    for z in range(16):
        for y in range(H):
            o = (y * 41 + z * 173) % 1999
            f.write(row[o:o + W].tobytes())
