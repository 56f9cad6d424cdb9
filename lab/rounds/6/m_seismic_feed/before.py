"""Recorder for a seismic array: filters each incoming packet and keeps the rows of
all channels in one HDF5 dataset."""
import sys

import h5py
import numpy as np

CHANNELS = 96
SAMPLES = 1


class Recorder:
    def __init__(self, path, packets):
        self.file = h5py.File(path, "w", rdcc_nbytes=8 << 20)
        self.trace = self.file.create_dataset(
            "trace", (packets * SAMPLES, CHANNELS), dtype="f8", chunks=(4000, CHANNELS))
        self.row = 0

    def add(self, block):
        n = len(block)
        self.trace[self.row:self.row + n] = block
        self.row += n
        self.file.flush()

    def close(self):
        self.trace.attrs["rows"] = self.row
        self.file.close()


class Highpass:
    """First order recursive filter, one state per channel."""

    def __init__(self, alpha):
        self.alpha = alpha
        self.last_in = np.zeros(CHANNELS)
        self.last_out = np.zeros(CHANNELS)

    def __call__(self, row):
        out = self.alpha * (self.last_out + row - self.last_in)
        self.last_in = row
        self.last_out = out
        return out


def packet_source(packets, rng):
    phase = rng.uniform(0, 2 * np.pi, CHANNELS)
    noise = rng.normal(0, 0.1, (packets, CHANNELS))
    for k in range(packets):
        yield np.sin(0.05 * k + phase) + 0.3 + noise[k]


def main():
    packets = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    rng = np.random.default_rng(3)
    highpass = Highpass(0.98)
    recorder = Recorder("array.h5", packets)
    peak = 0.0
    for row in packet_source(packets, rng):
        filtered = highpass(row)
        recorder.add(filtered.reshape(SAMPLES, CHANNELS))
        peak = max(peak, float(np.abs(filtered).max()))
    recorder.close()
    print(f"{packets} packets, peak amplitude {peak:.6f}")


if __name__ == "__main__":
    main()
