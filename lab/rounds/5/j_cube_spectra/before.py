"""Line fluxes and velocities of the sources in an integral-field cube."""
import sys

import numpy as np

NY, NX, NW = 96, 96, 600
WAVE0, DWAVE = 4800.0, 1.25
LIGHT = 299792.458


def source_list(count, rng):
    ys = rng.integers(0, NY, size=count)
    xs = rng.integers(0, NX, size=count)
    return list(zip(ys.tolist(), xs.tolist()))


def extract_spectrum(path, y, x):
    cube = np.fromfile(path, dtype=np.float32).reshape(NY, NX, NW)
    return cube[y, x].astype(np.float64)


def fit_continuum(wave, spectrum, rounds=3):
    scaled = (wave - wave.mean()) / np.ptp(wave)
    keep = np.ones(wave.size, dtype=bool)
    level = spectrum
    for _ in range(rounds):
        coeff = np.polyfit(scaled[keep], spectrum[keep], 4)
        level = np.polyval(coeff, scaled)
        residual = spectrum - level
        keep = np.abs(residual) < 2.5 * residual[keep].std()
    return level


def measure_line(wave, spectrum, level, rest=5110.0, width=60.0):
    window = np.abs(wave - rest) < width
    excess = np.clip(spectrum[window] - level[window], 0.0, None)
    flux = excess.sum() * DWAVE
    if flux <= 0.0:
        return 0.0, 0.0
    centre = (excess * wave[window]).sum() / excess.sum()
    return float(flux), float((centre / rest - 1.0) * LIGHT)


def main():
    nsource = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    rng = np.random.default_rng(77)
    wave = WAVE0 + DWAVE * np.arange(NW)
    table = []

    for y, x in source_list(nsource, rng):
        spectrum = extract_spectrum("cube.f32", y, x)
        level = fit_continuum(wave, spectrum)
        flux, velocity = measure_line(wave, spectrum, level)
        table.append((y, x, flux, velocity))

    with open("lines.cat", "w") as out:
        for y, x, flux, velocity in table:
            out.write("%4d %4d %12.4f %10.3f\n" % (y, x, flux, velocity))
    fluxes = np.array([row[2] for row in table])
    speeds = np.array([row[3] for row in table])
    print("sources", len(table), "total flux %.3f" % fluxes.sum())
    print("velocity %.3f +- %.3f km/s" % (speeds.mean(), speeds.std()))


if __name__ == "__main__":
    main()
