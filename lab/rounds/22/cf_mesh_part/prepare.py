n = 92
nn, ne = n**3, (n-1)**3//2*2
open('burner.hdr','w').write(f'swirl burner, hex mesh\n{nn} {ne}\n')
with open('burner.nod','w') as f:
    for i in range(nn):
        x, y, z = i % n, i//n % n, i//n//n
        f.write('%8d%17.9E%17.9E%17.9E\n' % (i+1, x*1.31e-3+1e-5*((i*7919)%101), y*1.17e-3, z*2.3e-3-0.01))
with open('burner.ele','w') as f:
    for e in range(ne):
        m = n-1; b = e % m + (e//m % m)*n + (e//m//m)*n*n + 1
        f.write(('%8d'*9+'\n') % (e+1, b, b+1, b+1+n, b+n, b+n*n, b+1+n*n, b+1+n+n*n, b+n+n*n))
