import json
import struct
import sys

import numpy as np

n = int(sys.argv[1])
rng = np.random.default_rng(4)
rec = np.zeros(n, dtype=[("len", "<u2"), ("animal", "<u2"), ("when", "<u4"), ("e", "<f4"), ("n", "<f4"), ("dop", "<u2")])
rec["len"] = 16
rec["animal"] = rng.integers(1, 25, n)
rec["when"] = np.arange(n)
rec["e"] = rng.normal(5e4, 900, n)
rec["n"] = rng.normal(7e4, 700, n)
rec["dop"] = rng.integers(1, 12, n)
with open("receiver.dump", "wb") as f:
    f.write(b"COLR" + bytes(4) + struct.pack("<Q", n))
    f.write(rec.tobytes())
json.dump({"worst_dop": 6, "share": 0.95}, open("settings.json", "w"))
