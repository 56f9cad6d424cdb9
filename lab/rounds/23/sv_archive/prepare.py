import hashlib, os, random
r = random.Random(244)
os.makedirs("delivery")
with open("manifest.txt", "w") as m:
    for k in range(8):
        head = (b"SIMPLE  =                    T".ljust(80) + b"BITPIX  =                   16".ljust(80) + b"END".ljust(80)).ljust(2880)
        body = head + b"".join(r.randbytes(1 << 20) for _ in range(30))
        name = f"exp_{k:05d}.fits"
        with open("delivery/" + name, "wb") as f:
            f.write(body)
        d = hashlib.sha3_512(body).hexdigest()
        m.write(f"{len(body)} {d if k != 5 else d[::-1]} {name}\n")
