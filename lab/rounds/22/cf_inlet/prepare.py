import numpy as np, gzip, os
rng = np.random.default_rng(5); root = 'constant/boundaryData/inlet'; n = 900; names = []
for k in range(520):
    t = '%.4f' % (k*2e-4); names.append(t); os.makedirs(f'{root}/{t}')
    u = rng.integers(-40, 40, (n, 3)).astype('<f4')*0.05; u[:, 0] += 12
    with gzip.GzipFile(f'{root}/{t}/U.gz', 'wb', 3, mtime=0) as f: f.write(u.tobytes())
open(root + '/times', 'w').write('%d\n' % n + '\n'.join(names) + '\n')
