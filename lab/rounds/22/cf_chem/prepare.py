open('chemistryProperties','w').write('cells 48000\nsteps 64\ndt 1e-4\nfront 0.84\n')
