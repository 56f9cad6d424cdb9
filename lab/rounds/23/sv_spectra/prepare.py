import random
r = random.Random(238)
N = 1500
hi = bytes(b & 3 for b in range(256))
with open("fibres.bin", "wb") as f, open("targets.csv", "w") as t:
    t.write("target,class,z\n")
    for k in range(N):
        raw = bytearray(r.randbytes(5 * 256 * 2))
        raw[1::2] = bytes(raw[1::2]).translate(hi)
        f.write(raw)
        z = -1 if r.random() < .04 else r.uniform(0, .5)
        t.write(f"T{k:06d},{r.choice(['GAL', 'QSO', 'STAR'])},{z:.5f}\n")
