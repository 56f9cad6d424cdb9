import json
import sys

import numpy as np

rows = int(sys.argv[1])
rng = np.random.default_rng(2)
with open("mosaic.bil", "wb") as f:
    for r in range(0, rows, 128):
        f.write(rng.integers(200, 6000, (128, 2, 2500), dtype=np.uint16).tobytes())
json.dump({"rows": rows, "width": 2500, "sectors": 5, "pixel": 10}, open("mosaic.json", "w"))
