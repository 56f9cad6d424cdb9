import numpy as np, os
ni, nj, nk = 192, 160, 240
with open('burner_old.rst', 'wb') as f:
    np.array([20240, ni, nj, nk], '<i4').tofile(f)
    x = np.arange(nj*ni).reshape(nj, ni)
    for k in range(nk):
        q = np.empty((nj, ni, 5))
        q[..., 0] = 1.1 + 0.1*np.sin(x*0.001 + k)
        for c in (1, 2, 3): q[..., c] = 30*np.cos(x*0.002*c + k)
        q[..., 4] = 2.5e5 + 1000*np.sin(x*0.01)
        q.tofile(f)
    f.flush(); os.fsync(f.fileno())
open('convert.nml', 'w').write("&convert fin='burner_old.rst', fout='burner_new.rst', gam=1.33, kb=8 /\n")
