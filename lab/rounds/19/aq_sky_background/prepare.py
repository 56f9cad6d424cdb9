import numpy as np
rng = np.random.default_rng(6)
def card(k, v):
    return f"{k:8s}= {v:>20s}".ljust(80)
for n in (1, 2, 3):
    nx, ny = 1500, 1400
    img = rng.normal(200 + n, 7, (ny, nx)).astype(">f4")
    head = card("SIMPLE", "T") + card("BITPIX", "-32") + card("NAXIS", "2") + card("NAXIS1", str(nx)) + card("NAXIS2", str(ny)) + "END".ljust(80)
    data = img.tobytes()
    with open(f"night{n}.fits", "wb") as f:
        f.write(head.ljust(2880).encode())
        f.write(data + b"\0" * (-len(data) % 2880))
