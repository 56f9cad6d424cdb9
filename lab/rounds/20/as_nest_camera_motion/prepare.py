import json
import sys

import numpy as np

n = int(sys.argv[1])
rng = np.random.default_rng(42)
a = rng.integers(90, 140, (n, 120, 160), dtype=np.uint8)
a[n // 3:n // 2, 40:80, 40:80] += 20
a.tofile("nest.raw")
json.dump({"frames": n, "height": 120, "width": 160, "fps": 12}, open("nest.raw.json", "w"))
