import numpy as np, struct
nr = ne = 400
r0, dr, e0, de = 0.1, 0.01, 1.0, 0.05
def rec(f, b):
    m = struct.pack("<i", len(b)); f.write(m); f.write(b); f.write(m)
e = e0 + de*np.arange(ne)
with open("eos.tab", "wb") as f:
    rec(f, struct.pack("<iidddd", nr, ne, r0, dr, e0, de))
    for i in range(nr):
        rho = r0 + dr*i
        rec(f, (0.4*rho*e*(1 + 0.1*np.sin(rho*e))).astype("<f8").tobytes())
