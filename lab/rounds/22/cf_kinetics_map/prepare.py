import numpy as np, struct
nt, ny, n = 400, 256, 16
a = np.linspace(0, 1, nt)[:, None, None]; b = np.linspace(0, 1, ny)[None, :, None]; k = np.arange(n)[None, None, :]
with open('kinetics.tab', 'wb') as f:
    f.write(struct.pack('<8s4i', b'KINTAB01', nt, ny, n, 0))
    (0.3 + 0.2*np.sin(3*a + k) + b*(1-b)*0.5).astype('<f8').tofile(f)
