import array
import random

n, deg = 400000, 8
rng = random.Random(5)
links = array.array("I")
links.frombytes(rng.randbytes(4 * n * deg))
out = array.array("I", [v % n if v & 1024 else (v % 977) * (v % 401) for v in links])
with open("links.bin", "wb") as f:
    f.write(array.array("I", [n, deg]).tobytes())
    f.write(out.tobytes())
