open('box.nml','w').write('&box n=96, nstep=36, idump=18, dt=0.05 /\n')
