import numpy as np
nz, nc, nh = 128, 64, 16
z = np.linspace(0, 1, nz)[None, None, :, None]; c = np.linspace(0, 1, nc)[None, :, None, None]
h = np.linspace(0, 1, nh)[:, None, None, None]; q = np.arange(20)[None, None, None, :]
t = 1.0 + q*0.1 + np.sin(3*z + q)*0.3 + c*(1-c)*2 + 0.2*h
t[..., 0] = 300 + 1800*(c*np.sin(np.pi*z)*(1-0.2*h))[..., 0]
t.astype('<f8').tofile('flamelets.tab')
open('flamelet.nml', 'w').write("&table tabfile='flamelets.tab', nz=128, nc=64, nh=16 /\n&solver ncell=10000, nsweep=12 /\n")
