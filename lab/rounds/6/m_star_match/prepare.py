import numpy as np

rng = np.random.default_rng(20)
nstar = 2_000_000
rec = np.zeros(nstar, dtype=[("ra", "f8"), ("dec", "f8"), ("mag", "f4", 8), ("flag", "i4", 4)])
rec["ra"] = rng.uniform(0, 360, nstar)
rec["dec"] = rng.uniform(-90, 90, nstar)
rec["mag"] = rng.normal(18, 2, (nstar, 8))
rec.tofile("catalogue.dat")
rng.integers(0, nstar, 1_800_000).astype("i4").tofile("detections.dat")
