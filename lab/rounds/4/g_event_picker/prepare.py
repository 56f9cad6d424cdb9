import array, math
NWAVE, NS = 8000, 1024
base = [int(500 * math.sin(0.11 * s) + 90 * math.sin(1.7 * s + 0.3)) for s in range(NS + 997)]
base = array.array("h", base)
with open("waveforms.i2", "wb") as f:
    for w in range(NWAVE):
        o = (w * 61) % 997
        f.write(base[o:o + NS].tobytes())
