import array
NTR, NS = 48000, 256
with open("shots.vol", "wb") as f:
    for t in range(NTR):
        f.write(array.array("f", [float((t * 31 + s * s) % 2048 - 1024) for s in range(NS)]).tobytes())
