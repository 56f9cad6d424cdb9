import struct
import sys

import numpy as np

n = int(sys.argv[1])
rng = np.random.default_rng(6)
a = np.zeros(n, dtype=[("when", "<u4"), ("level", "<f4"), ("flags", "<u2"), ("battery", "<u2")])
a["when"] = np.arange(n) * 60
a["level"] = 2.1 * np.sin(np.arange(n) * 2 * np.pi / 745) + rng.normal(0, 0.8, n)
a["flags"][rng.random(n) < 0.002] = 0x8000
with open("gauge.tid", "wb") as f:
    f.write(struct.pack("<4sIQ", b"TIDE", 4711, n))
    f.write(a.tobytes())
