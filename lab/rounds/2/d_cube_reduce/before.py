"""Collapse a spectral cube: read slabs from a compressed file, filter every
spectrum and keep the moment maps."""
import sys

import h5py
import numpy as np

NY, NX = 64, 64


def make_cube(path, nchan, rng):
    with h5py.File(path, "w") as out:
        cube = out.create_dataset("cube", (nchan, NY, NX), dtype="i2",
                                  chunks=(nchan, 8, NX), compression="gzip", compression_opts=1)
        chan = np.arange(nchan)[:, None, None]
        for y in range(0, NY, 8):
            centre = nchan / 2 + 10 * np.sin(0.1 * (y + np.arange(8)))[None, :, None]
            line = 200 * np.exp(-0.5 * ((chan - centre) / 6.0) ** 2)
            cube[:, y:y + 8, :] = (line + rng.integers(0, 4, (nchan, 8, NX))).astype("i2")
        cube.attrs["unit"] = "counts"


def median_filter(slab, widths=range(5, 33, 2)):
    for width in widths:
        half = width // 2
        padded = np.pad(slab, ((half, half), (0, 0), (0, 0)), mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(padded, width, axis=0)
        slab = np.median(windows, axis=-1)
    return slab


def moment_maps(slab):
    chan = np.arange(slab.shape[0])[:, None, None]
    total = slab.sum(axis=0) + 1e-9
    mean = (slab * chan).sum(axis=0) / total
    spread = np.sqrt((slab * (chan - mean) ** 2).sum(axis=0) / total)
    return total, mean, spread


def reduce_cube(path, result):
    with h5py.File(path, "r") as src, h5py.File(result, "w") as out:
        cube = src["cube"]
        nchan, ny, nx = cube.shape
        step = cube.chunks[1]
        maps = [np.empty((ny, nx)) for _ in range(3)]
        for y in range(0, ny, step):
            slab = median_filter(cube[:, y:y + step, :].astype("f8"))
            for full, part in zip(maps, moment_maps(slab)):
                full[y:y + step] = part
        for name, full in zip(("total", "velocity", "dispersion"), maps):
            out.create_dataset(name, data=full, chunks=(ny // 2, nx), compression="gzip")
            out[name].attrs["source"] = path
    return maps


def main(nchan):
    make_cube("cube.h5", nchan, np.random.default_rng(6))
    total, velocity, dispersion = reduce_cube("cube.h5", "moments.h5")
    print(f"flux {total.sum():.3f} velocity {velocity.mean():.4f} width {dispersion.mean():.4f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 128)
