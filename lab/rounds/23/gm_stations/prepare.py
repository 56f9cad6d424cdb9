open('Par_file','w').write("&wave\n n = 2000, nst = 25, nstep = 8000,\n dt = 0.5d0, dx = 1.0d0\n/\n")
