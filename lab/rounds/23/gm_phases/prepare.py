import math
nt, np_ = 240, 200
with open('pyrolite_rho.tab', 'w') as f:
    f.write("|6.6.6 pyrolite\n%d %d 300.0 0.0 7.5 0.12\n" % (nt, np_))
    for j in range(np_):
        f.write(" ".join("%.4f" % (3300+12*j*0.12-0.09*i*7.5+40*math.tanh(j-100-i*.1)) for i in range(nt)) + "\n")
open('init.nml', 'w').write("&model\n nm = 200000, nstep = 120, table = 'pyrolite_rho.tab'\n/\n")
