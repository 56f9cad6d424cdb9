# rain.npy: 40 years x 52 weeks x 12000 cells of float32
import array, math
YEARS, WEEKS, CELLS = 40, 52, 12000
base = array.array("f", [20 + 10 * math.sin(0.01 * i) + (i * 7919 % 997) / 50 for i in range(CELLS)])
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d, %d), }" % (YEARS, WEEKS, CELLS)
head += " " * (63 - (10 + len(head)) % 64) + "\n"
with open("rain.npy", "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
    for y in range(YEARS):
        for w in range(WEEKS):
            k = (y * 5171 + w * 1013) % CELLS
            f.write((base[k:] + base[:k]).tobytes())
