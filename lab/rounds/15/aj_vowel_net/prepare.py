"""cepstra.npy: 61440 frames of 1 label and 39 coefficients, float32."""
import array
import random

random.seed(33)
FRAMES, COLS = 61440, 40
means = [[random.gauss(0, 1) for _ in range(COLS - 1)] for _ in range(8)]
rows = []
for n in range(2048):
    v = random.randrange(8)
    rows.append(array.array("f", [v] + [m + random.gauss(0, 1.6) for m in means[v]]).tobytes())
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (FRAMES, COLS)
header = header.ljust(117) + "\n"
with open("cepstra.npy", "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
    for _ in range(FRAMES // 2048):
        random.shuffle(rows)
        f.write(b"".join(rows))
