import sys, os, random, struct
rows, asked = int(sys.argv[1]), int(sys.argv[2])
random.seed(21)
with open("catalogue.bin", "wb") as f:
    buf = bytearray()
    for i in range(rows):
        ra = (i * 360.0) / rows
        dec = ((i * 7919) % 180001) / 1000.0 - 90
        buf += struct.pack("<Qddff", i, ra, dec, 10 + (i * 31 % 1000) / 100.0, (i * 17 % 400) / 100.0)
        buf += b"\0" * 992
        if len(buf) > 4000000:
            f.write(buf)
            buf = bytearray()
    f.write(buf)
    f.flush()
    os.fsync(f.fileno())
    os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
with open("alerts.txt", "w") as f:
    for k in range(asked):
        i = random.randrange(rows)
        f.write("%d %.5f\n" % (i, 10 + random.random() * 10))
