open('pluton.nml','w').write("&pluton\n n = 96, nstep = 30, every = 3\n/\n")
