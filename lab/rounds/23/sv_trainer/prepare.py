import random
r = random.Random(246)
N = 9000
with open("patches.u8", "wb") as d, open("labels.u8", "wb") as l:
    dim = bytes(b >> 1 for b in range(256))
    for k in range(N):
        c = r.randrange(4)
        p = bytearray(r.randbytes(784).translate(dim))
        for y in range(6 + 4 * (c & 1), 20):
            for x in range(8, 14 + 5 * (c >> 1)):
                p[y * 28 + x] = min(255, p[y * 28 + x] + 50)
        d.write(p); l.write(bytes([c]))
