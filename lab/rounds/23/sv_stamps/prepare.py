import random
r = random.Random(236)
NY, NX = 6000, 6000
cards = ["SIMPLE  =                    T", "BITPIX  =                   16", "NAXIS   =                    2",
         f"NAXIS1  = {NX:20d}", f"NAXIS2  = {NY:20d}", "BZERO   =              1000.0 / offset", "END"]
with open("coadd.img", "wb") as f:
    f.write("".join(c.ljust(80) for c in cards).ljust(2880).encode())
    table = bytes(b & 3 for b in range(256))
    for y in range(NY):
        raw = bytearray(r.randbytes(2 * NX))
        raw[0::2] = bytes(raw[0::2]).translate(table)
        f.write(raw)
with open("sources.csv", "w") as f:
    f.write("id,x,y\n")
    for k in range(14000):
        f.write(f"{k},{r.uniform(0, NX):.2f},{r.uniform(0, NY):.2f}\n")
