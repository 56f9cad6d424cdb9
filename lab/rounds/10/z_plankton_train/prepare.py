import random
import struct

SIDE, COUNT, CLASSES = 128, 200, 5
rng = random.Random(20417)
with open("plankton.tiles", "wb") as out:
    out.write(struct.pack("<4sIII", b"PLK1", COUNT, SIDE, CLASSES))
    for n in range(COUNT):
        label = rng.randrange(CLASSES)
        tile = bytearray(rng.randbytes(SIDE * SIDE))
        half = 8 + 9 * label
        cy, cx = rng.randrange(50, 78), rng.randrange(50, 78)
        for y in range(max(0, cy - half), min(SIDE, cy + half)):
            a, b = max(0, cx - half), min(SIDE, cx + half)
            tile[y * SIDE + a:y * SIDE + b] = bytes([190]) * (b - a)
        out.write(struct.pack("<I", label))
        out.write(tile)
