import random, struct
r = random.Random(13)
nx, ny = 80, 60
n = nx * ny
slots = list(range(n)); r.shuffle(slots)
idx = struct.pack("<%dI" % n, *[s + 1 + (n * 4 + 4095) // 4096 for s in slots])
idx += b"\0" * (-len(idx) % 4096)
with open("tiles.cache", "wb") as f:
    f.write(struct.pack("<III", 0x454c4954, nx, ny).ljust(4096, b"\0") + idx)
    for i in range(n):
        f.write(r.randbytes(4096))
with open("requests.txt", "w") as f:
    f.write("# viewport requests of one hour\n")
    for i in range(5200):
        f.write("GET %d/%d %dx%d\n" % (min(77, int(abs(r.gauss(40, 9)))), min(57, int(abs(r.gauss(30, 7)))), r.randint(1, 3), r.randint(1, 3)))
