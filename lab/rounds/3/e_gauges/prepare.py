import random
import struct

random.seed(21)
N = 800000
MAGIC = 0x52474155
flows = [struct.pack("<6d", *(random.gauss(10, 2) for _ in range(6))) for _ in range(5000)]
with open("gauges.dat", "wb") as fh:
    fh.write(struct.pack("<IIQ", MAGIC, N, 16 + 24 * N))
    for k in range(N):
        fh.write(struct.pack("<QIId", 16 + 24 * N + 48 * k, k, k % 37, 40 + (k * 7919 % 1000) * 0.001))
    for k in range(N):
        fh.write(flows[(k * 31 + k // 5000) % 5000])
