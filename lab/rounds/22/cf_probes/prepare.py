import os, random
random.seed(11)
for r in range(4): os.makedirs(f'postProcessing/probes/processor{r}', exist_ok=True)
open('control.nml','w').write('&control nx=24, ny=24, nstep=1200, dt=0.002, re=400.0, nprobe=80 /\n')
open('probeLocations','w').write(''.join(f'{random.random():.6f} {random.random():.6f}\n' for _ in range(80)))
