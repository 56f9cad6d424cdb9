import os
import random

random.seed(3)
os.makedirs("runs", exist_ok=True)
body = "".join("%10.4f %9.5f %9.5f %8.3f\n" % (0.01 * i, random.random(), random.gauss(0, 1), 290 + random.random())
               for i in range(14000))
for run in range(60):
    with open(f"runs/run_{run:04d}.log", "w") as fh:
        fh.write("# spectrometer acquisition log\n")
        for key, val in (("run", run), ("operator", "shift%d" % (run % 4)), ("exposure_s", 30 + run % 7),
                         ("slit_um", 50 + 25 * (run % 3)), ("grating", 600 if run % 2 else 1200),
                         ("detector_K", round(180 + random.random(), 3)), ("wavelength_nm", 400 + 5 * run)):
            fh.write(f"# {key} = {val}\n")
        fh.write("# columns: time counts offset temperature\n")
        for _ in range(9):
            fh.write(body)
