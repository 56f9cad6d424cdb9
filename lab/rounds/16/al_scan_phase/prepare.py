# Diffraction frames of a ptychographic scan: 384x384 uint16 each, in one file.
import random

random.seed(23)
SIDE, FRAMES = 384, 120
with open("frames.u16", "wb") as f:
    for k in range(FRAMES):
        f.write(random.randbytes(SIDE * SIDE * 2))
