import array
import random

rows, cols = 3072, 4096
rng = random.Random(8)
block = rng.randbytes(2 * cols * 256)
with open("scene.u16", "wb") as f:
    for k in range(rows // 256):
        shift = 2 * rng.randrange(1, cols)
        f.write(block[shift:] + block[:shift])
with open("gain.f32", "wb") as f:
    f.write(array.array("f", [0.9 + 0.2 * rng.random() for _ in range(cols)]).tobytes())
