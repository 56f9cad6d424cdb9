"""Histogram of neutron arrival times from a detector event stream.

The stream is a header, then for every pulse: number, hit count, marker, and
as many hits (arrival time in 0.1 us, pixel).

usage: after.py EVENT_FILE
"""
import json
import struct
import sys

PULSE = struct.Struct("<IHH")
HIT = struct.Struct("<II")
MARKER = 0xA5A5
BIN_WIDTH = 50
N_BINS = 400
N_PIXELS = 1024


class EventStream:
    def __init__(self, path):
        with open(path, "rb") as source:
            self.data = source.read()
        magic, self.n_pulses = struct.unpack_from("<4sI", self.data)
        if magic != b"TOF2":
            raise ValueError(f"{path}: not an event stream")

    def pulses(self):
        position = 8
        data = self.data
        for _ in range(self.n_pulses):
            number, count, marker = PULSE.unpack_from(data, position)
            if marker != MARKER:
                raise ValueError(f"lost synchronisation at pulse {number}")
            position += PULSE.size
            stop = position + count * HIT.size
            yield from HIT.iter_unpack(data[position:stop])
            position = stop

    def close(self):
        self.data = b""


def accumulate(stream):
    spectrum = [0] * N_BINS
    pixels = [0] * N_PIXELS
    lost = 0
    for arrival, pixel in stream.pulses():
        position = arrival // BIN_WIDTH
        if position < N_BINS:
            spectrum[position] += 1
            pixels[pixel] += 1
        else:
            lost += 1
    return spectrum, pixels, lost


def peak_position(spectrum):
    top = max(range(N_BINS), key=spectrum.__getitem__)
    window = range(max(0, top - 5), min(N_BINS, top + 6))
    weight = sum(spectrum[k] for k in window)
    return sum((k + 0.5) * BIN_WIDTH * spectrum[k] for k in window) / weight


def hot_pixels(pixels):
    mean = sum(pixels) / len(pixels)
    return [k for k, n in enumerate(pixels) if n > mean + 5.0 * mean ** 0.5]


def main():
    stream = EventStream(sys.argv[1])
    spectrum, pixels, lost = accumulate(stream)
    stream.close()
    report = {
        "hits": sum(spectrum) + lost,
        "lost": lost,
        "peak": round(peak_position(spectrum) * 0.1, 4),
        "hot_pixels": hot_pixels(pixels),
    }
    with open("spectrum.json", "w") as out:
        json.dump({"spectrum": spectrum, **report}, out)
    print(report)


if __name__ == "__main__":
    main()
