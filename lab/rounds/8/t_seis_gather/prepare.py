import numpy as np
nt, ns = 80000, 250
rng = np.random.default_rng(5)
rec = np.zeros(nt, dtype=[("tr", "<i4"), ("sx", "<f4"), ("gx", "<f4"), ("delay", "<f4"), ("pad", "V224"), ("s", "<f4", ns)])
rec["tr"] = np.arange(nt)
rec["sx"] = (np.arange(nt) // 200) * 25.0
rec["gx"] = rec["sx"] + (np.arange(nt) % 200) * 12.5
rec["delay"] = rng.uniform(-4, 4, nt)
rec["s"] = rng.standard_normal((nt, ns), dtype=np.float32)
rec.tofile("line07.trc")
