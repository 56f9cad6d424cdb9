open('CONTROL','w').write("&control\n nc = 12, nstep = 130, dt = 0.002d0, rho = 0.7d0\n/\n")
