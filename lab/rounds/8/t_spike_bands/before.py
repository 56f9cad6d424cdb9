"""Band powers and spike counts of a silicon probe, one mapped file per channel."""
import glob
import sys

import numpy as np

RATE = 20000.0
WIN = 8192
BANDS = {"theta": (4, 10), "gamma": (30, 90), "ripple": (120, 250), "spike": (600, 6000)}


class Channel:
    """Recording of one electrode site, kept mapped for the whole analysis."""

    def __init__(self, path):
        self.path = path
        self.data = np.memmap(path, dtype="<i2", mode="r")

    def __len__(self):
        return len(self.data)

    def windows(self, hop):
        for lo in range(0, len(self.data) - WIN + 1, hop):
            yield lo, self.data[lo:lo + WIN].astype(np.float64)


def band_masks():
    freq = np.fft.rfftfreq(WIN, 1.0 / RATE)
    return {name: (freq >= lo) & (freq < hi) for name, (lo, hi) in BANDS.items()}


def tapers(n, count=4):
    k = np.arange(1, n + 1)
    return np.stack([np.sqrt(2.0 / (n + 1)) * np.sin(np.pi * (j + 1) * k / (n + 1)) for j in range(count)])


def spectrum(x, tap):
    x = x - x.mean()
    return (np.abs(np.fft.rfft(tap * x, axis=1)) ** 2).mean(axis=0)


def highpass(x, mask):
    f = np.fft.rfft(x)
    f[~mask] = 0
    return np.fft.irfft(f, len(x))


def count_spikes(x, mask):
    y = highpass(x, mask)
    noise = np.median(np.abs(y)) / 0.6745
    below = y < -4.5 * noise
    return int(np.count_nonzero(below[1:] & ~below[:-1]))


def analyse(channel, hop, masks, tap):
    powers = {name: 0.0 for name in BANDS}
    spikes = nwin = 0
    for lo, x in channel.windows(hop):
        spec = spectrum(x, tap)
        for name, mask in masks.items():
            powers[name] += float(spec[mask].sum())
        if lo % WIN == 0:
            spikes += count_spikes(x, masks["spike"])
        nwin += 1
    return {name: p / nwin for name, p in powers.items()}, spikes


def snippets(channel, starts, width=32):
    """Short pieces around given samples, straight out of the mapping."""
    out = np.empty((len(starts), width))
    for k, s in enumerate(starts):
        out[k] = channel.data[s:s + width]
    return out


def main():
    hop = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
    masks, tap = band_masks(), tapers(WIN)
    rng = np.random.default_rng(9)
    with open("bands.csv", "w") as table:
        print("channel", *BANDS, "spikes", "pc1", sep=",", file=table)
        for path in sorted(glob.glob("probe_*.i2")):
            ch = Channel(path)
            powers, spikes = analyse(ch, hop, masks, tap)
            shapes = snippets(ch, rng.integers(0, len(ch) - 32, 300))
            pc = np.linalg.svd(shapes - shapes.mean(axis=0), compute_uv=False)
            print(path, *(f"{powers[b]:.5e}" for b in BANDS), spikes, f"{pc[0]:.3f}", sep=",", file=table)
    print(open("bands.csv").read().count("\n") - 1, "channels")


if __name__ == "__main__":
    main()
