open('tracer.nml','w').write("&tracer\n ntr = 300000, nstep = 20, nout = 5,\n dt = 1.0d-3, rayleigh = 2.0d4\n/\n")
