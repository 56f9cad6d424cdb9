import random
random.seed(2301)
tab = bytes(ord("ACGT"[i & 3]) for i in range(256))
qt = bytes(33 + 2 + (i % 39) for i in range(256))
with open("lane1.fastq", "wb") as f:
    for i in range(24000):
        n = random.choice((100, 125, 150))
        s = random.randbytes(n).translate(tab)
        q = random.randbytes(n).translate(qt)
        f.write(b"@HWI:%d:%d:%d 1:N:0\n%s\n+\n%s\n" % (i % 8, i // 100, i, s, q))
