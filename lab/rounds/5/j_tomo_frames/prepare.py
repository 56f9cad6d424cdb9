"""Makes a beamline run folder: detector frames, with their thumbnails and logs."""
import os
import random

random.seed(3)
os.makedirs("run_0042", exist_ok=True)
for i in range(1300):
    with open(f"run_0042/frame_{i:05d}.raw", "wb") as f:
        f.write(random.randbytes(64 * 64))
    with open(f"run_0042/frame_{i:05d}.meta", "w") as f:
        f.write("theta=%.4f\n" % (i * 180.0 / 1300))
