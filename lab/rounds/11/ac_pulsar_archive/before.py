"""Fold a simulated pulsar observation and archive the dynamic spectra.

For every sub-integration the channels are de-dispersed in the Fourier domain
and folded with the pulse period; spectra and profiles go to an HDF5 archive.
"""
import sys

import h5py
import numpy as np

N_CHAN = 128
N_SAMPLES = 8192          # per sub-integration
DT = 1.0e-4               # s
F_LOW, F_HIGH = 1200.0, 1500.0   # MHz
PERIOD = 0.0331           # s
DM = 56.77                # pc cm-3
N_BINS = 256
K_DM = 4148.808           # s MHz2 per (pc cm-3)


def delays(freq):
    return K_DM * DM * (freq ** -2 - F_HIGH ** -2)


def simulate(sub, freq, rng):
    """Noise plus a dispersed Gaussian pulse."""
    t = (sub * N_SAMPLES + np.arange(N_SAMPLES)) * DT
    phase = ((t[None, :] - delays(freq)[:, None]) / PERIOD) % 1.0
    pulse = 0.8 * np.exp(-0.5 * ((phase - 0.4) / 0.02) ** 2)
    return pulse + rng.standard_normal((N_CHAN, N_SAMPLES))


def dedisperse(data, freq):
    spectrum = np.fft.rfft(data, axis=1)
    nu = np.fft.rfftfreq(N_SAMPLES, DT)
    spectrum *= np.exp(2j * np.pi * nu[None, :] * delays(freq)[:, None])
    return np.fft.irfft(spectrum, N_SAMPLES, axis=1)


def fold(data, sub):
    t = (sub * N_SAMPLES + np.arange(N_SAMPLES)) * DT
    bins = ((t / PERIOD % 1.0) * N_BINS).astype(int)
    hits = np.bincount(bins, minlength=N_BINS)
    sums = np.array([np.bincount(bins, row, N_BINS) for row in data])
    return sums / np.maximum(hits, 1)


def open_archive(path, n_sub, freq):
    h5 = h5py.File(path, "w")
    h5.attrs["period"] = PERIOD
    h5.attrs["dm"] = DM
    h5.attrs["dt"] = DT
    h5.create_dataset("frequency", data=freq)
    h5.create_dataset("profile", (n_sub, N_CHAN, N_BINS), "f4", chunks=(1, N_CHAN, N_BINS))
    h5.create_dataset("dynamic", (n_sub, N_CHAN, N_SAMPLES // 8), "f4",
                      chunks=(1, N_CHAN, N_SAMPLES // 8), compression="gzip", compression_opts=1)
    return h5


def main():
    n_sub = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rng = np.random.default_rng(1967)
    freq = np.linspace(F_LOW, F_HIGH, N_CHAN)
    h5 = open_archive("pulsar.h5", n_sub, freq)
    mean = np.zeros(N_BINS)
    for sub in range(n_sub):
        data = dedisperse(simulate(sub, freq, rng), freq)
        profile = fold(data, sub)
        h5["profile"][sub] = profile
        short = data.reshape(N_CHAN, -1, 8).mean(axis=2)
        h5["dynamic"][sub] = np.clip(np.round(short * 8), -127, 127) / 8   # 8-bit levels
        mean += profile.mean(axis=0)
        if sub % 10 == 9:
            h5.flush()
    h5.close()
    mean /= n_sub
    noise = np.std(mean[N_BINS // 2 + 40:])
    print(f"peak in bin {mean.argmax()}, signal to noise {mean.max() / noise:.1f}")


if __name__ == "__main__":
    main()
