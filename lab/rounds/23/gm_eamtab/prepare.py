import math, array
n, rc = 65536, 12.0
a = array.array('d', [n, rc])
for i in range(n):
    r = max(1.0, i*rc/(n-1))
    a.append(0.4*math.exp(-2*(r-2.5)) - 0.8*math.exp(-(r-2.5)))
    a.append(1.5*math.exp(-1.1*(r-2.5)))
open('Cu_u3.tab', 'wb').write(a.tobytes())
