"""Baseline correction and line search in a stream of telescope spectra."""
import struct
import sys

import numpy as np

NCHAN = 256
HEADER = struct.Struct("<Id")


class Receiver:
    """Delivers spectra the way the backend does: header and int16 channels."""

    def __init__(self, seed=3):
        self.rng = np.random.default_rng(seed)
        self.noise = self.rng.normal(0.0, 60.0, size=(64, NCHAN))
        x = np.arange(NCHAN)
        self.line = 900.0 * np.exp(-((x - 140) / 5.0) ** 2)
        self.slope = np.linspace(0.0, 400.0, NCHAN)

    def packet(self, number):
        values = self.noise[number % 64] + self.slope
        if number % 9 == 0:
            values = values + self.line
        return HEADER.pack(number, 0.1 * number) + values.astype("<i2").tobytes()


def parse_spectrum(packet):
    number, time = HEADER.unpack_from(packet)
    channels = np.frombuffer(packet, dtype="<i2", offset=HEADER.size)
    return number, time, channels


class Baseline:
    def __init__(self):
        x = np.linspace(-1.0, 1.0, NCHAN)
        basis = np.stack([np.ones(NCHAN), x], axis=1)
        self.project = np.eye(NCHAN) - basis @ np.linalg.pinv(basis)
        self.project = self.project.astype("f4")

    def remove(self, channels):
        return self.project @ channels.astype("f4")


def reduce_packet(packet, baseline):
    number, time, channels = parse_spectrum(packet)
    flat = baseline.remove(channels)
    peak = int(flat.argmax())
    return number, time, peak, float(flat[peak])


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
    receiver = Receiver()
    baseline = Baseline()
    found = []
    for number in range(count):
        number, time, peak, height = reduce_packet(receiver.packet(number), baseline)
        if height > 500.0:
            found.append((number, time, peak, height))
    with open("lines.csv", "w") as out:
        out.write("number,time,channel,height\n")
        for row in found:
            out.write("%d,%.2f,%d,%.3f\n" % row)
    centre = np.mean([row[2] for row in found])
    print(f"{count} spectra, {len(found)} lines, mean channel {centre:.3f}")


if __name__ == "__main__":
    main()
