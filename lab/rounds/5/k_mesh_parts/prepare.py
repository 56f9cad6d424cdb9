import array, struct, sys

parts = int(sys.argv[1]) if len(sys.argv) > 1 else 4
nodes = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
for p in range(parts):
    chunk = bytearray()
    with open("mesh.%04d" % p, "wb") as f:
        f.write(struct.pack("<i", nodes))
        rec = b"".join(struct.pack("<iddd", p * nodes + i + 1, i * 1e-3, (i % 97) * 0.5, (i % 53) * 0.25)
                       for i in range(1000))
        for k in range(nodes // 1000):
            f.write(rec)
