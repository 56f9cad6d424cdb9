import random
import struct
random.seed(17)
N = 60000
with open("counters.dat", "wb") as f:
    f.write(b"".join(struct.pack("<IIQQII", i, 0, 0, 0, 0, 0) for i in range(N)))
with open("clicks.txt", "w") as f:
    for i in range(160000):
        f.write(f"{int(N * random.random() ** 2)} {19700 + i // 40000} {random.randrange(0, 9000, 50)}\n")
