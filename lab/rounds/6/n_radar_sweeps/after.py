"""Combine the sweeps of a weather radar into volumes and estimate rain rates."""
import os
import sys

import numpy as np

SPOOL = "spool"
SWEEPS = 6
BEAMS = 360


def read_index():
    index = {}
    for name in os.listdir(SPOOL):
        index[name[:14]] = os.path.join(SPOOL, name)
    return index


def sweep_file(volume, sweep, _index={}):
    """The letter at the end of a name tells the receiver, which we do not know beforehand."""
    if not _index:
        _index.update(read_index())
    return _index["sweep_%05d_%d_" % (volume, sweep)]


def load_sweep(volume, sweep):
    with open(sweep_file(volume, sweep), "rb") as f:
        raw = np.frombuffer(f.read(), dtype="<i2")
    return raw.astype(np.float32) / 512.0


def rain_rate(reflectivity):
    z = 10.0 ** (np.clip(reflectivity, 0.0, 55.0) / 10.0)
    return (z / 200.0) ** 0.625


def smooth(sweep, width=9):
    kernel = np.hanning(width + 2)[1:-1]
    kernel /= kernel.sum()
    padded = np.concatenate([sweep[-width:], sweep, sweep[:width]])
    return np.convolve(padded, kernel, mode="same")[width:-width]


def column_maximum(volume):
    columns = np.zeros(BEAMS, dtype=np.float32)
    for sweep in range(SWEEPS):
        columns = np.maximum(columns, smooth(load_sweep(volume, sweep)))
    return columns


def main():
    volumes = int(sys.argv[1]) if len(sys.argv) > 1 else 80
    total = np.zeros(BEAMS)
    for volume in range(volumes):
        total += rain_rate(column_maximum(volume))
    total /= volumes
    total.astype("<f8").tofile("rain.bin")
    print("mean rain rate %.4f mm/h, wettest beam %d" % (total.mean(), int(total.argmax())))


if __name__ == "__main__":
    main()
