"""Turn raw seismometer counts into a day file with ground velocity.

Packets of all stations come in one after the other; they are filtered with
a recursive filter and put into an extendible HDF5 array (station, sample).
"""
import sys
import numpy as np
import h5py

PACKET = 400


class Biquad:
    """Second-order section run over all stations at once."""

    def __init__(self, fc, fs, nchan):
        w = np.tan(np.pi * fc / fs)
        q = 1.0 / (1.0 + np.sqrt(2.0) * w + w * w)
        self.b = np.array([w * w * q, 2 * w * w * q, w * w * q])
        self.a = np.array([2 * (w * w - 1) * q, (1 - np.sqrt(2.0) * w + w * w) * q])
        self.z1 = np.zeros(nchan)
        self.z2 = np.zeros(nchan)

    def __call__(self, block):
        out = np.empty_like(block)
        for i in range(block.shape[1]):
            x = block[:, i]
            y = self.b[0] * x + self.z1
            self.z1 = self.b[1] * x - self.a[0] * y + self.z2
            self.z2 = self.b[2] * x - self.a[1] * y
            out[:, i] = y
        return out


class DayVolume:
    """Extendible array of one network and day."""

    def __init__(self, path, nstations, rate):
        self.file = h5py.File(path, "w")
        self.trace = self.file.create_dataset(
            "velocity", shape=(nstations, 0), maxshape=(nstations, None),
            dtype="f4", chunks=self.layout(nstations, rate))
        self.trace.attrs["sampling_rate"] = rate
        self.length = 0

    def layout(self, nstations, rate):
        return (1, int(rate) // 10)

    def extend(self, block):
        n = block.shape[1]
        self.trace.resize(self.length + n, axis=1)
        self.trace[:, self.length:self.length + n] = block
        self.length += n

    def close(self):
        self.file.close()


def packets(nstations, count, rate):
    """Background noise with one regional event."""
    rng = np.random.default_rng(99)
    delay = rng.uniform(0.0, 40.0, nstations)
    for p in range(count):
        t = (p * PACKET + np.arange(PACKET)) / rate
        block = 40.0 * rng.standard_normal((nstations, PACKET))
        tau = t[None, :] - delay[:, None] - 20.0
        wave = np.where(tau > 0, np.exp(-0.08 * np.abs(tau)), 0.0)
        block += 900.0 * wave * np.sin(2 * np.pi * 1.3 * tau)
        yield block


def sta_lta(power, nsta, nlta):
    c = np.cumsum(power)
    sta = (c[nlta:] - c[nlta - nsta:-nsta]) / nsta
    lta = (c[nlta:] - c[:-nlta]) / nlta
    return sta / np.maximum(lta, 1e-12)


def pick_arrivals(path, rate):
    picks = []
    with h5py.File(path, "r") as f:
        data = f["velocity"][...]
    for row in data:
        ratio = sta_lta(row.astype(float) ** 2, int(rate), int(12 * rate))
        k = int(np.argmax(ratio))
        picks.append((k / rate, float(ratio[k])))
    return picks


def main():
    nstations, count = int(sys.argv[1]), int(sys.argv[2])
    rate = 100.0
    highcut = Biquad(8.0, rate, nstations)
    volume = DayVolume("day.h5", nstations, rate)
    for block in packets(nstations, count, rate):
        volume.extend(1.7e-9 * highcut(block))
    volume.close()
    picks = pick_arrivals("day.h5", rate)
    print("samples %d, mean pick %.3f s, best ratio %.3f" % (
        volume.length, np.mean([p[0] for p in picks]), max(p[1] for p in picks)))


if __name__ == "__main__":
    main()
