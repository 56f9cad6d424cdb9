import random
random.seed(5)
nx, ny = 300, 300
for r in range(2):
    with open('mesh.part.%d' % r, 'w') as f:
        f.write("nodes %d\n" % (nx*ny))
        for j in range(ny):
            for i in range(nx):
                f.write("%d %.6f %.6f\n" % (r*nx*ny+j*nx+i, r*nx+i+random.uniform(-.2, .2), j+random.uniform(-.2, .2)))
        f.write("elements %d\n" % (2*(nx-1)*(ny-1)))
        for j in range(ny-1):
            for i in range(nx-1):
                a = j*nx+i
                f.write("%d %d %d\n%d %d %d\n" % (a, a+1, a+nx, a+1, a+nx+1, a+nx))
