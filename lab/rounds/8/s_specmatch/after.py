"""Identify unknown minerals by comparing spectra with a reference library.

The library is a set of sub-libraries (one array of reference spectra each);
an inverted index of strong peaks proposes a few candidates per unknown.
"""
import sys
import numpy as np

NCHAN = 1024


def library_name(group):
    return "speclib_%02d.npy" % group


def build_library(ngroups, nref):
    """Make the reference arrays and the index of their strongest channels."""
    rng = np.random.default_rng(2024)
    index = {}
    x = np.arange(NCHAN)
    for g in range(ngroups):
        centres = rng.integers(20, NCHAN - 20, size=(nref, 3))
        height = rng.uniform(0.4, 1.0, size=(nref, 3))
        spectra = 0.02 * rng.random((nref, NCHAN), dtype=np.float32)
        for r in range(nref):
            for c, h in zip(centres[r], height[r]):
                lo, hi = c - 18, c + 19
                spectra[r, lo:hi] += h * np.exp(-((x[lo:hi] - c) / 6.0) ** 2)
            top = int(np.argmax(spectra[r])) // 4
            index.setdefault(top, []).append((g, r))
        np.save(library_name(g), spectra)
    return index


class ReferenceLibrary:
    def __init__(self, index):
        self.index = index

    def candidates(self, spectrum, limit):
        key = int(np.argmax(spectrum)) // 4
        found = []
        for k in (key, key - 1, key + 1):
            found.extend(self.index.get(k, ()))
        return found[:limit]

    def spectrum(self, group, row):
        return self._block(group)[row]

    def _block(self, group):
        return np.load(library_name(group), mmap_mode="r")


def continuum_removed(spec):
    """Divide by a running upper envelope (coarse hull)."""
    width = 64
    blocks = spec.reshape(-1, width).max(axis=1)
    knots = np.arange(width // 2, spec.size, width)
    hull = np.interp(np.arange(spec.size), knots, blocks)
    return spec / np.maximum(hull, 1e-6)


def spectral_angle(a, b):
    c = np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.arccos(min(1.0, max(-1.0, c))))


def best_shift(a, b, maxshift):
    """Smallest angle over small wavelength shifts."""
    best = (10.0, 0)
    for s in range(-maxshift, maxshift + 1):
        best = min(best, (spectral_angle(a, np.roll(b, s)), s))
    return best


def make_unknowns(count):
    rng = np.random.default_rng(77)
    x = np.arange(NCHAN)
    for _ in range(count):
        spec = 0.03 * rng.random(NCHAN)
        for c, h in zip(rng.integers(20, NCHAN - 20, 3), rng.uniform(0.4, 1.0, 3)):
            spec += h * np.exp(-((x - c) / 6.0) ** 2)
        yield spec


def identify(library, spectrum, limit):
    reduced = continuum_removed(spectrum)
    ranking = []
    for group, row in library.candidates(spectrum, limit):
        ref = continuum_removed(library.spectrum(group, row).astype(float))
        angle, shift = best_shift(reduced, ref, 3)
        ranking.append((angle, group, row, shift))
    ranking.sort()
    return ranking[0] if ranking else None


def main():
    ngroups, nref, nunknown = (int(v) for v in sys.argv[1:4])
    library = ReferenceLibrary(build_library(ngroups, nref))
    matched, total = 0, 0.0
    for spectrum in make_unknowns(nunknown):
        hit = identify(library, spectrum, 8)
        if hit is not None:
            matched += 1
            total += hit[0]
    print("matched %d of %d, mean angle %.6f" % (matched, nunknown, total / max(1, matched)))


if __name__ == "__main__":
    main()
