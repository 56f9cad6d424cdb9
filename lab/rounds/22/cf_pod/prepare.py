import numpy as np
rng = np.random.default_rng(3); n = 100000; ns = 120
x = np.linspace(0, 40, n)
for k in range(ns):
    u = np.sin(x - 0.2*k) + 0.5*np.sin(2.1*x - 0.43*k) + 0.2*np.cos(0.7*x + 0.1*k) + 0.1*rng.standard_normal(n)
    u.astype('<f4').tofile(f'wake_{k:04d}.raw')
open('pod.in', 'w').write(f'{ns} {n} wake_%04d.raw\n')
