# %% [markdown]
# # Raman map of a pigment layer
# Every point of the map is corrected with the dark spectrum taken last before
# it, cleaned from cosmic rays and fitted (G band position, width).

# %%
import bisect
import os
import sys

import numpy as np

POINTS = int(sys.argv[1]) if len(sys.argv) > 1 else 1200
PIXELS = 512
CAMPAIGN = 60000                      # s
rng = np.random.default_rng(1580)
shift = np.linspace(1200.0, 1800.0, PIXELS)

# %% [markdown]
# ## Dark spectra

# %%
dark_cache = {}


def load_dark(name):
    if name not in dark_cache:
        raw = np.fromfile(os.path.join("darks", name), dtype="<u2")
        dark_cache[name] = np.repeat(raw, PIXELS // raw.size).astype(float)
    return dark_cache[name]


def dark_before(second):
    """The dark spectrum taken last before the given second."""
    names = sorted(os.listdir("darks"))
    at = bisect.bisect_right(names, f"dark_{second:09d}.u16") - 1
    return load_dark(names[max(at, 0)])


# %% [markdown]
# ## A measured point and its evaluation

# %%
def measure(k):
    centre = 1582.0 + 4.0 * np.sin(k / 70.0)
    width = 14.0 + 2.0 * np.cos(k / 31.0)
    line = 900.0 / (1.0 + ((shift - centre) / width) ** 2)
    spectrum = rng.poisson(line + 60.0 + 0.02 * (shift - 1200.0)) + 100.0
    if rng.random() < 0.2:
        spectrum[rng.integers(PIXELS)] += 4000.0
    return spectrum


def despike(spectrum):
    stack = np.stack([np.roll(spectrum, s) for s in (-2, -1, 0, 1, 2)])
    median = np.median(stack, axis=0)
    bad = spectrum - median > 400.0
    spectrum = spectrum.copy()
    spectrum[bad] = median[bad]
    return spectrum


def fit_band(spectrum):
    edge = (shift < 1450.0) | (shift > 1720.0)
    base = np.polyval(np.polyfit(shift[edge], spectrum[edge], 1), shift)
    net = np.clip(spectrum - base, 0.0, None)
    window = np.abs(shift - 1582.0) < 45.0
    weight = net[window] ** 2
    centre = (weight * shift[window]).sum() / weight.sum()
    spread = np.sqrt((weight * (shift[window] - centre) ** 2).sum() / weight.sum())
    return centre, spread


# %% [markdown]
# ## The map

# %%
result = np.empty((POINTS, 2))
for k in range(POINTS):
    second = int(CAMPAIGN * (k + 0.5) / POINTS)
    result[k] = fit_band(despike(measure(k) - dark_before(second)))

np.save("g_band.npy", result)
print("position %.3f +- %.3f 1/cm" % (result[:, 0].mean(), result[:, 0].std()))
print("width    %.3f 1/cm" % result[:, 1].mean())
