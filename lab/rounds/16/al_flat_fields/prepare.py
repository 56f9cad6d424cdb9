# Calibration tree of a telescope: default flats of 24 CCDs, overrides for a few nights.
import os
import random
import struct

random.seed(8)
NCCD, NPIX = 24, 256


def write_flat(path, spread):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(struct.pack("<%df" % NPIX, *[random.gauss(1.0, spread) for _ in range(NPIX)]))


for ccd in range(NCCD):
    write_flat("calib/default/flat_%02d.bin" % ccd, 0.02)
for night in (40, 41, 97):
    for ccd in range(0, NCCD, 5):
        write_flat("calib/night_%04d/flat_%02d.bin" % (night, ccd), 0.01)
