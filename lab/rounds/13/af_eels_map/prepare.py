"""Makes the spectrum image: counts(energy, y, x) of an oxide film."""
import subprocess
import sys

CODE = '''
import h5py
import numpy as np
rng = np.random.default_rng(5)
ny = nx = 256
ne = 1024
energy = 300.0 + 0.5 * np.arange(ne)
yy, xx = np.mgrid[0:ny, 0:nx]
film = 1.0 / (1.0 + np.exp(-(yy - 120 - 6 * np.sin(xx / 25.0)) / 5.0))
noise = [rng.poisson(120, size=(ny, nx)).astype(np.float32) / 120 for _ in range(6)]
with h5py.File("film.h5", "w") as f:
    d = f.create_dataset("counts", (ne, ny, nx), dtype="u2", chunks=(4, ny, nx),
                         compression="gzip", compression_opts=1)
    for k in range(0, ne, 4):
        block = np.empty((4, ny, nx), np.uint16)
        for j in range(4):
            e = energy[k + j]
            bg = 4000.0 * (e / 300.0) ** -2.7
            edge_ti = 350.0 * film * (e > 456) * (e / 456.0) ** -2.5
            edge_o = 500.0 * (1 - 0.4 * film) * (e > 532) * (e / 532.0) ** -2.5
            block[j] = (bg + edge_ti + edge_o) * noise[(k + j) % 6]
        d[k:k + 4] = block
    f["energy"] = energy
'''
subprocess.run([sys.executable, "-c", CODE], check=True)
