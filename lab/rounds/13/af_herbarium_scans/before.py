"""Leaf shapes of a herbarium collection.

Every sheet carries a few leaves; outline, size and shape of each leaf are
measured and stored with the sheet in one HDF5 file.
"""
import sys

import h5py
import numpy as np

POINTS = 96
HARMONICS = 6
SPECIES = ["Acer campestre", "Quercus robur", "Tilia cordata", "Fagus sylvatica"]


def outline(rng, species):
    """Outline of a leaf in polar form, lobes depending on the species."""
    a = np.linspace(0, 2 * np.pi, POINTS, endpoint=False)
    lobes = (5, 9, 1, 2)[species]
    depth = (0.30, 0.18, 0.10, 0.04)[species]
    r = 1 + depth * np.cos(lobes * a + rng.normal(0, 0.1)) + 0.2 * np.cos(2 * a)
    r *= rng.normal(4.0, 0.6) * (1 + rng.normal(0, 0.01, POINTS))
    return r * np.exp(1j * a)


def measure(z):
    """Size and shape of an outline, as named numbers."""
    x, y = z.real, z.imag
    nx, ny = np.roll(x, -1), np.roll(y, -1)
    area = 0.5 * abs(np.sum(x * ny - nx * y))
    edge = np.sum(np.hypot(nx - x, ny - y))
    out = {"area": area, "perimeter": edge, "circularity": 4 * np.pi * area / edge ** 2,
           "length": np.ptp(x), "width": np.ptp(y)}
    c = np.fft.fft(z) / POINTS
    for h in range(1, HARMONICS + 1):
        out[f"f{h:02d}"] = abs(c[h]) / abs(c[1])
        out[f"b{h:02d}"] = abs(c[-h]) / abs(c[1])
    return out


def store_sheet(f, number, species, outlines, shapes):
    g = f.create_group(f"sheet{number:05d}")
    d = g.create_dataset("outlines", data=np.array(outlines))
    d.attrs["species"] = SPECIES[species]
    for leaf, shape in enumerate(shapes):
        for name, value in shape.items():
            d.attrs[f"leaf{leaf}_{name}"] = value


def collect(path, sheets, leaves, seed=3):
    rng = np.random.default_rng(seed)
    areas = [[] for _ in SPECIES]
    lobed = np.zeros(len(SPECIES))
    with h5py.File(path, "w") as f:
        for number in range(sheets):
            species = int(rng.integers(len(SPECIES)))
            outlines = [outline(rng, species) for _ in range(leaves)]
            shapes = [measure(z) for z in outlines]
            store_sheet(f, number, species, outlines, shapes)
            areas[species] += [s["area"] for s in shapes]
            lobed[species] += sum(s["circularity"] < 0.7 for s in shapes)
    return areas, lobed


def summary(areas, lobed):
    for name, a, n in zip(SPECIES, areas, lobed):
        if a:
            print(f"{name:18s} {len(a):5d} leaves  area {np.mean(a):.3f} +- {np.std(a):.3f} cm2"
                  f"  lobed {n / len(a):.3f}")


def main():
    sheets, leaves = int(sys.argv[1]), int(sys.argv[2])
    areas, lobed = collect("collection.h5", sheets, leaves)
    summary(areas, lobed)


if __name__ == "__main__":
    main()
