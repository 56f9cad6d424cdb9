from array import array
import random
rng = random.Random(23)
n = 12_000_000
base = array("f", [rng.random() ** 3 * 8 for _ in range(200_003)])
with open("coverage.f32", "wb") as f:
    left = n
    while left > 0:
        k = min(left, len(base))
        base[:k].tofile(f)
        left -= k
with open("peaks.i32", "wb") as f:
    array("i", [rng.randrange(2000, n - 2000) for _ in range(24000)]).tofile(f)
