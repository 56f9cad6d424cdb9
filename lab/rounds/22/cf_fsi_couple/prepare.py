import os
os.makedirs('comms', exist_ok=True)
open('coupling.nml','w').write("&coupling nface=6000, ndepth=12, niter=45, waitms=25, maxwait=4000, comms='comms' /\n")
