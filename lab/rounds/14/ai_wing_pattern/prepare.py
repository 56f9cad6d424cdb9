# scanned wing patches: one .npy per specimen (header written by hand, no numpy needed)
import os, random, struct
from array import array
random.seed(12)
os.mkdir("scans")
W = 24
hdr = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (W, W)
hdr = hdr + " " * (64 - (10 + len(hdr) + 1) % 64) + "\n"
head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(hdr)) + hdr.encode()
noise = [random.gauss(0, 0.35) for _ in range(9973)]
for n in range(1600):
    k = n % 5                                     # species
    cx, cy = random.uniform(8, 16), random.uniform(8, 16)
    o = random.randrange(9000)
    img = array("f")
    for y in range(W):
        for x in range(W):
            r2 = (x - cx) ** 2 + (y - cy) ** 2
            ring = 1.0 if (2 + k) ** 2 < r2 < (4 + k) ** 2 else 0.0
            img.append(ring + noise[(o + 31 * y + 7 * x) % 9973])
    with open("scans/%d_%05d.npy" % (k, n), "wb") as f:
        f.write(head)
        f.write(img.tobytes())
