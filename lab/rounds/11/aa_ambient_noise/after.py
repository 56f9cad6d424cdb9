"""Ambient-noise seismology: whitens the records of a station pair, stacks the
cross-correlations and keeps the whitened windows for the later inversion."""
import sys

import h5py
import numpy as np

RATE = 50.0                  # samples per second
WINDOW = 16384               # samples in a window
BAND = (0.5, 12.0)           # Hz
LAG = 400                    # samples kept on either side


def record(rng, delay=37):
    """One window of the noise field, seen at two stations."""
    common = rng.standard_normal(WINDOW + delay)
    a = common[delay:] + 0.8 * rng.standard_normal(WINDOW)
    b = common[:WINDOW] + 0.8 * rng.standard_normal(WINDOW)
    return a, b


def band_mask():
    f = np.fft.rfftfreq(WINDOW, 1.0 / RATE)
    return ((f > BAND[0]) & (f < BAND[1])).astype(float)


def whiten(x, mask):
    s = np.fft.rfft(x * np.hanning(WINDOW))
    s = s / (np.abs(s) + 1e-9) * mask
    return s, np.fft.irfft(s, WINDOW)


def correlate(sa, sb):
    c = np.fft.irfft(sa * np.conj(sb), WINDOW)
    return np.concatenate([c[-LAG:], c[:LAG + 1]])


def create_file(path, windows):
    f = h5py.File(path, "w")
    for station in ("STA1", "STA2"):
        f.create_dataset(
            station, (windows, WINDOW), dtype="f8", chunks=(4, WINDOW))
    f.attrs["rate"] = RATE
    f.attrs["band"] = BAND
    return f


def main(windows):
    rng = np.random.default_rng(11)
    mask = band_mask()
    stack = np.zeros(2 * LAG + 1)
    with create_file("whitened.h5", windows) as f:
        for k in range(0, windows, 4):
            block_a = np.empty((4, WINDOW))
            block_b = np.empty((4, WINDOW))
            for i in range(4):
                a, b = record(rng)
                sa, block_a[i] = whiten(a, mask)
                sb, block_b[i] = whiten(b, mask)
                stack += correlate(sa, sb)
            f["STA1"][k:k + 4] = block_a
            f["STA2"][k:k + 4] = block_b
        f["stack"] = stack / windows
    lag = (np.argmax(np.abs(stack)) - LAG) / RATE
    print(f"{windows} windows, travel time {abs(lag):.2f} s, peak {np.abs(stack).max() / windows:.5f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 160)
