import array, random, sys
r = random.Random(232)
N = 160
base = [r.randint(900, 1300) for _ in range(65536)]
with open("frames.raw", "wb") as f:
    for k in range(N):
        noise = r.randbytes(65536)
        a = array.array("H", [b + (n & 63) for b, n in zip(base, noise)])
        for _ in range(5):
            a[r.randrange(65536)] += r.randint(200, 3000)
        if sys.byteorder == "little":
            a.byteswap()
        f.write(f"MJD={61000 + k * 0.0011:.6f}\nEXPTIME=30.0\nFILTER=r\n".encode().ljust(512, b"\n"))
        f.write(a.tobytes())
