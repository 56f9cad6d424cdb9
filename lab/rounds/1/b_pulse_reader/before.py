"""Histogram the pulses of a detector run, read record by record from the event file."""
import sys

import numpy as np


class PulseFile:
    """Iterates over (channel, samples) records: two header bytes, then the samples."""

    def __init__(self, path):
        self.stream = open(path, "rb", buffering=0)

    def __iter__(self):
        read = self.stream.read
        while True:
            header = read(2)
            if len(header) < 2:
                return
            samples = read(header[1])
            yield header[0], samples

    def close(self):
        self.stream.close()


def accumulate(path, nchannels):
    counts = [0] * nchannels
    charge = [0] * nchannels
    peak = [0] * nchannels
    pulses = PulseFile(path)
    for channel, samples in pulses:
        counts[channel] += 1
        charge[channel] += sum(samples)
        top = max(samples)
        if top > peak[channel]:
            peak[channel] = top
    pulses.close()
    return np.array(counts), np.array(charge), np.array(peak)


def report(counts, charge, peak):
    gain = charge / np.maximum(counts, 1)
    print("pulses %d" % counts.sum())
    print("mean charge %.4f  spread %.4f" % (gain.mean(), gain.std()))
    print("highest sample %d" % peak.max())
    np.savetxt("gain.txt", np.column_stack([counts, charge, gain]), fmt="%12.3f")


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "pulses.dat"
    counts, charge, peak = accumulate(path, 32)
    report(counts, charge, peak)


if __name__ == "__main__":
    main()
