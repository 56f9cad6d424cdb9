import numpy as np

nmat, nener = 8, 250000
e = np.logspace(-3, 1, nener)
t = np.empty((nmat, nener))
for m in range(nmat):
    t[m] = 0.1 * (m + 1) * e ** -0.4 + 0.02 * np.sin(20 * np.log(e) + m) ** 2
with open("xsection.tab", "wb") as f:
    np.array([nmat, nener], "i4").tofile(f)
    t.tofile(f)
