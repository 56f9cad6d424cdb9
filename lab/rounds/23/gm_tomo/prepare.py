import random
random.seed(41)
nx, nz = 1100, 400
with open('DATA_tomography_model.xyz', 'w') as f:
    f.write(f"{nx} {nz} 1.0 1.0\n")
    for k in range(nz):
        for i in range(nx):
            vp = 5.8 + 0.006*k + random.uniform(-.2, .2)
            f.write(f"{i:.1f} {k:.1f} {vp:.4f} {vp/1.75:.4f} {1.7+0.2*vp:.4f}\n")
