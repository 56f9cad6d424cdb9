open('slab.nml','w').write("&slabpar\n nx = 300, nz = 200, nair = 100, nstep = 40\n/\n")
