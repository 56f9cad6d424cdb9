open('plate.nml','w').write("&plate\n nx = 4000, nz = 150, nstep = 220\n/\n")
