with open("slab.nml", "w") as f:
    f.write("&slab\n  n = 1800\n  nsteps = 110\n  report = 10\n  alpha = 0.22\n/\n")
