"""Simulates the daily delivery of a Raman microscope (one spectrum per map point),
removes the fluorescence background and stores the maps for the archive."""
import sys

import numpy as np

BANDS = 1024
EDGE = 48
WAVENUMBER = np.linspace(200.0, 3200.0, BANDS)
PEAKS = ((520.0, 6.0, 30.0), (1350.0, 25.0, 12.0), (1580.0, 20.0, 18.0), (2700.0, 40.0, 9.0))


def measure_map(rng):
    """Photon noise dominated spectra of an EDGE x EDGE map."""
    template = np.zeros(BANDS)
    for centre, width, height in PEAKS:
        template += height * np.exp(-((WAVENUMBER - centre) / width) ** 2)
    background = 200.0 * np.exp(-WAVENUMBER / 1500.0)
    weight = rng.uniform(0.2, 1.0, (EDGE * EDGE, 1))
    signal = weight * template + background
    return signal + rng.standard_normal(signal.shape) * np.sqrt(signal)


def remove_background(spectra):
    x = np.linspace(-1.0, 1.0, BANDS)
    basis = np.polynomial.legendre.legvander(x, 5)
    coef, *_ = np.linalg.lstsq(basis, spectra.T, rcond=None)
    return spectra - (basis @ coef).T


def store_map(number, spectra):
    with open(f"map_{number:03d}.spc", "wb") as f:
        f.write(np.array(spectra.shape, dtype="<i4").tobytes())
        f.write(spectra.astype("<f8").tobytes())


def band_area(spectra, low, high):
    inside = (WAVENUMBER >= low) & (WAVENUMBER <= high)
    return float(spectra[:, inside].sum() / len(spectra))


def main():
    maps = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    rng = np.random.default_rng(8)
    for number in range(maps):
        spectra = remove_background(measure_map(rng))
        store_map(number, spectra)
        ratio = band_area(spectra, 1300, 1400) / band_area(spectra, 1540, 1620)
        print(f"map {number}: D/G ratio {ratio:.5f}")


if __name__ == "__main__":
    main()
