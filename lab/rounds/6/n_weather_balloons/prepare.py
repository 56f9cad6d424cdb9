"""Monthly sounding archives: for each station a series of 16-bit samples, station after station."""
import random

rng = random.Random(77)
for month in range(1, 13):
    with open("soundings_%02d.dat" % month, "wb") as out:
        out.write(rng.randbytes(160 * 25600 * 2))
