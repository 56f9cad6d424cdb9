open('les.nml','w').write('&les nx=96, ny=48, nstep=400, nwindow=200, dt=0.01 /\n')
