"""Fit emission lines in synthetic galaxy spectra and keep the catalogue of
fitted parameters together with the residuals in HDF5."""
import sys

import h5py
import numpy as np

WAVE = np.linspace(6400.0, 6900.0, 96)
LINES = np.array([6548.0, 6562.8, 6583.5, 6716.4, 6730.8])


def observe(rng, redshift, width):
    flux = np.full(WAVE.size, 0.2)
    strengths = rng.gamma(2.0, 1.5, LINES.size)
    for line, strength in zip(LINES, strengths):
        flux += strength * np.exp(-0.5 * ((WAVE - line * (1 + redshift)) / width) ** 2)
    return flux + rng.normal(0.0, 0.05, WAVE.size)


def fit_lines(flux, redshift, width):
    basis = np.empty((WAVE.size, LINES.size + 1))
    basis[:, -1] = 1.0
    for k, line in enumerate(LINES):
        basis[:, k] = np.exp(-0.5 * ((WAVE - line * (1 + redshift)) / width) ** 2)
    params, *_ = np.linalg.lstsq(basis, flux, rcond=None)
    return params, flux - basis @ params


class Catalogue:
    """Results of a survey field by field."""

    def __init__(self, path, n_objects):
        self.file = h5py.File(path, "w")
        self.file.attrs["wavelength"] = WAVE
        self.params = np.empty((n_objects, LINES.size + 1))
        self.residuals = np.empty((n_objects, WAVE.size), "f4")

    def add(self, field, index, params, residual):
        self.params[index] = params
        self.residuals[index] = residual

    def close(self):
        self.file.create_dataset("params", data=self.params)
        self.file.create_dataset("residuals", data=self.residuals)
        self.file.close()


def run_survey(n_objects, per_field=500):
    rng = np.random.default_rng(11)
    catalogue = Catalogue("survey_lines.h5", n_objects)
    halpha = 0.0
    for index in range(n_objects):
        redshift = rng.uniform(0.0, 0.02)
        width = rng.uniform(2.0, 6.0)
        flux = observe(rng, redshift, width)
        params, residual = fit_lines(flux, redshift, width)
        catalogue.add(index // per_field, index, params, residual)
        halpha += params[1]
    catalogue.close()
    return halpha / n_objects


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    print(f"{count} objects, mean H-alpha {run_survey(count):.6f}")
