"""Fin-whale pulses in a hydrophone recording.

Walks through a recording of 16-bit samples window by window, makes the
spectrum of each, tracks the noise floor and lists the 20 Hz pulses that stand
out of it.
"""
import sys

import numpy as np

RATE = 2000.0                       # samples per second
WINDOW = 1024                       # samples, about half a second
OVERLAP = 4                         # windows overlap by 1 - 1/OVERLAP
BAND = (17.0, 25.0)                 # Hz, the pulse
GUARD = (30.0, 60.0)                # Hz, the noise beside it
THRESHOLD = 6.0                     # dB over the floor
MEMORY = 0.98                       # of the noise floor
SECONDS = int(sys.argv[1]) if len(sys.argv) > 1 else 6000


class Recording:
    def __init__(self, name):
        self.data = np.memmap(name, dtype="<i2", mode="r")

    def windows(self, seconds):
        last = min(len(self.data), int(seconds * RATE)) - WINDOW
        for start in range(0, last + 1, WINDOW // OVERLAP):
            yield start, self.data[start:start + WINDOW]


class Detector:
    def __init__(self):
        freq = np.fft.rfftfreq(WINDOW, 1.0 / RATE)
        self.taper = np.hanning(WINDOW)
        self.band = (freq >= BAND[0]) & (freq <= BAND[1])
        self.guard = (freq >= GUARD[0]) & (freq <= GUARD[1])
        self.floor = None
        self.above = False

    def feed(self, samples):
        """level of the band over the noise floor in dB, and whether a pulse begins"""
        x = samples * self.taper
        power = np.abs(np.fft.rfft(x - x.mean())) ** 2
        noise = power[self.guard].mean() + 1e-9
        self.floor = noise if self.floor is None else MEMORY * self.floor + (1 - MEMORY) * noise
        level = 10.0 * np.log10(power[self.band].mean() / self.floor)
        begins = level > THRESHOLD and not self.above
        self.above = level > THRESHOLD
        return level, begins


def intervals(times):
    """the regular song shows in the spread of the pulse intervals"""
    d = np.diff(times)
    return (float(np.median(d)), float(d.std())) if len(d) else (0.0, 0.0)


def main():
    recording = Recording("hydrophone.raw")
    detector = Detector()
    times = []
    levels = []
    with open("pulses.csv", "w") as out:
        out.write("time_s,level_dB\n")
        for start, samples in recording.windows(SECONDS):
            level, begins = detector.feed(samples)
            levels.append(level)
            if begins:
                times.append(start / RATE)
                out.write(f"{start / RATE:.3f},{level:.2f}\n")
    np.save("levels.npy", np.array(levels, dtype=np.float32))
    median, spread = intervals(times)
    print(f"{len(times)} pulses, interval {median:.2f} s +- {spread:.2f} s")


main()
