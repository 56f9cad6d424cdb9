#!/usr/bin/env python
# cross-match of two star catalogues, nearest neighbour within 1.5 arcsec
# (quick script for the group meeting -- A.)
import sys
import numpy as np

radius = 1.5 / 3600            # deg
cell = 0.01                    # deg, size of a search cell
nstars = int(sys.argv[1]) if len(sys.argv) > 1 else 60000

deep = np.memmap("deep.cat", dtype="f8", mode="r").reshape(-1, 3)
wide = np.memmap("wide.cat", dtype="f8", mode="r").reshape(-1, 3)

# index of the wide catalogue: stars sorted by cell
ncell = int(2.0 / cell) + 2
def cell_of(ra, dec):
    i = np.clip(((ra - 150.0) / cell).astype(int), 0, ncell - 1)
    j = np.clip(((dec + 1.0) / cell).astype(int), 0, ncell - 1)
    return i * ncell + j

cells = cell_of(wide[:, 0], wide[:, 1])
order = np.argsort(cells, kind="stable")
first = np.searchsorted(cells[order], np.arange(ncell * ncell + 1))

matched = []
rng = np.random.default_rng(4)
picks = rng.permutation(len(deep))[:nstars]
for k in picks:
    ra, dec, mag = deep[k]
    c = int(cell_of(np.array([ra]), np.array([dec]))[0])
    best, who = radius, -1
    # own cell and the one to each side
    for n in (c, c - 1, c + 1, c - ncell, c + ncell):
        if n < 0 or n >= ncell * ncell:
            continue
        for m in order[first[n]:first[n + 1]]:
            dx = (wide[m, 0] - ra) * np.cos(np.radians(dec))
            dy = wide[m, 1] - dec
            d = (dx * dx + dy * dy) ** 0.5
            if d < best:
                best, who = d, m
    if who >= 0:
        matched.append((k, who, best * 3600, wide[who, 2] - mag))

matched = np.array(matched)
np.save("matched.npy", matched)
print("tried %d, matched %d" % (len(picks), len(matched)))
print("median distance %.3f arcsec, magnitude offset %.4f +- %.4f"
      % (np.median(matched[:, 2]), matched[:, 3].mean(), matched[:, 3].std()))
