import io, os, random, tarfile
r = random.Random(240)
os.makedirs("shards")
hi = bytes(b & 3 for b in range(256))
for s in range(16):
    with tarfile.open(f"shards/rb-{s:06d}.tar", "w") as t:
        for k in range(100):
            raw = bytearray(r.randbytes(21 * 21 * 2))
            raw[1::2] = bytes(raw[1::2]).translate(hi)
            label = r.randint(0, 1)
            if label:
                for p in range(430, 460):
                    raw[p | 1] = 3
            i = tarfile.TarInfo(f"{s:03d}{k:05d}.stamp"); i.size = len(raw) + 1
            t.addfile(i, io.BytesIO(bytes(raw) + bytes([label])))
