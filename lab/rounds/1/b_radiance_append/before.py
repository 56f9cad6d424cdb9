"""Two-stream radiance of many columns, appended step by step to an HDF5 file."""
import sys

import h5py
import numpy as np

WAVENUMBERS = 96
COLUMNS = 400


def optical_depth(rng, layers):
    water = rng.gamma(2.0, 0.5, (COLUMNS, layers))
    lines = np.abs(np.sin(np.arange(WAVENUMBERS) * 0.7))[:, None, None]
    return 0.02 + 0.3 * lines * water[None]


def radiance(tau, temperature):
    upward = np.full((WAVENUMBERS, COLUMNS), 1.0)
    nu = np.linspace(600.0, 1200.0, WAVENUMBERS)[:, None]
    for layer in range(tau.shape[2]):
        trans = np.exp(-tau[:, :, layer])
        planck = nu ** 3 / np.expm1(1.4388 * nu / temperature[layer]) * 1e-7
        upward = upward * trans + planck * (1.0 - trans)
    return upward


def main():
    nsteps = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    layers = 20
    rng = np.random.default_rng(29)
    temperature = np.linspace(295.0, 220.0, layers)
    with h5py.File("radiance.h5", "w") as store:
        spectra = store.create_dataset("radiance", (0, WAVENUMBERS, COLUMNS), "f4",
                                       maxshape=(None, WAVENUMBERS, COLUMNS),
                                       chunks=(1, WAVENUMBERS, COLUMNS))
        mean = store.create_dataset("mean", (nsteps,), "f8")
        store.attrs["layers"] = layers
        store.attrs["model"] = "two-stream"
        for step in range(nsteps):
            tau = optical_depth(rng, layers)
            field = radiance(tau, temperature + 0.02 * step)
            spectra.resize(step + 1, axis=0)
            spectra[step] = field
            mean[step] = field.mean()
    with h5py.File("radiance.h5", "r") as store:
        last = store["radiance"][nsteps - 1]
        print("steps %d  mean %.6f  last %.6f" % (nsteps, store["mean"][:].mean(), last.mean()))


if __name__ == "__main__":
    main()
