import struct
N = 400000
with open("accounts.led", "wb") as f:
    f.write(b"LEDG" + struct.pack("<iq", N, 20240628) + bytes(112))
    for i in range(N):
        f.write(struct.pack("<qiidddi", 70000000 + i, 100 + i % 9, 20240600 + i % 28, 1000.0 + (i * 7919) % 250000, 0.01 + (i % 11) * 0.002, 0.0, 0).ljust(128, b"\0"))
