"""Aperture photometry: instrumental counts to calibrated magnitudes, frame by frame."""
import array
import json
import math
import os

BANDS = "ugriz"
STARS_PER_FRAME = 600


class Calibration:
    """Calibration of one filter; the observers may replace the file during the night."""

    def __init__(self, band):
        self.path = "calib_%s.json" % band
        self.stamp = None
        self.values = {}

    def current(self):
        if not os.path.exists(self.path):
            raise SystemExit("no calibration " + self.path)
        stamp = os.path.getmtime(self.path)
        if stamp != self.stamp:
            with open(self.path) as f:
                self.values = json.load(f)
            self.stamp = stamp
        return self.values


class Frame:
    def __init__(self, number, rows):
        self.number = number
        self.band = BANDS[number % len(BANDS)]
        self.airmass = 1.0 + 0.004 * (number % 120)
        self.rows = rows

    def stars(self):
        for k in range(0, len(self.rows), 3):
            yield self.rows[k], self.rows[k + 1], self.rows[k + 2]


def magnitude(counts, sky, colour, airmass, calib):
    net = counts - sky
    if net <= 0.0:
        return None
    value = -2.5 * math.log10(net) + calib["zero"]
    return value - calib["extinction"] * airmass - calib["colour"] * colour


def frames(path):
    rows = array.array("d")
    with open(path, "rb") as f:
        rows.frombytes(f.read())
    step = 3 * STARS_PER_FRAME
    for number, first in enumerate(range(0, len(rows), step)):
        yield Frame(number, rows[first:first + step])


def main():
    calibrations = {band: Calibration(band) for band in BANDS}
    totals = {band: [0, 0.0, 0.0] for band in BANDS}
    with open("frames.txt", "w") as out:
        for frame in frames("frames.dat"):
            calibration = calibrations[frame.band]
            n, s = 0, 0.0
            for counts, sky, colour in frame.stars():
                m = magnitude(counts, sky, colour, frame.airmass, calibration.current())
                if m is None:
                    continue
                n += 1
                s += m
                t = totals[frame.band]
                t[0] += 1
                t[1] += m
                t[2] += m * m
            out.write("%d %s %.3f %d %.9f\n" % (frame.number, frame.band, frame.airmass, n, s / n))
    for band in BANDS:
        n, s, ss = totals[band]
        print("%s %7d mean %.8f sd %.8f" % (band, n, s / n, math.sqrt(ss / n - (s / n) ** 2)))


if __name__ == "__main__":
    main()
