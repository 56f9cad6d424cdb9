import os
import struct

for d in range(90):
    os.makedirs("calib/release_%03d" % d, exist_ok=True)
for s in range(500):
    d = (s * 37) % 90
    with open("calib/release_%03d/sensor_%05d.cal" % (d, s), "wb") as f:
        f.write(struct.pack("16d", *[1.0 + 0.001 * ((s * k) % 13) for k in range(16)]))
