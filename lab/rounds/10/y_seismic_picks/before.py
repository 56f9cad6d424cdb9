"""Refine first-arrival picks with the STA/LTA ratio and measure amplitudes.

waves/<station>.i16   one day of one station, 16 bit counts, little endian
events.csv            event, station, predicted arrival (sample number)
"""
import argparse
import csv
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PRE, POST = 600, 900
SHORT, LONG = 40, 400


@dataclass
class Pick:
    event: int
    station: str
    sample: int
    ratio: float
    amplitude: float


class Archive:
    def __init__(self, folder):
        self.folder = Path(folder)

    def window(self, station, first, count):
        trace = np.fromfile(self.folder / f"{station}.i16", dtype="<i2")
        return trace[first:first + count].astype(np.float64)


def running_mean(x, width):
    c = np.concatenate(([0.0], np.cumsum(x)))
    return (c[width:] - c[:-width]) / width


def refine(data):
    """Sample with the highest short/long term ratio within the window."""
    energy = (data - data.mean()) ** 2
    sta = running_mean(energy, SHORT)[LONG:]
    lta = running_mean(energy, LONG)[:len(sta)]
    n = min(len(sta), len(lta))
    ratio = sta[:n] / lta[:n]
    best = int(ratio.argmax())
    return best + LONG, float(ratio[best])


def process(archive, rows):
    for row in rows:
        predicted = int(row["sample"])
        first = predicted - PRE
        data = archive.window(row["station"], first, PRE + POST)
        at, ratio = refine(data)
        spectrum = np.abs(np.fft.rfft(data[at:at + 256], 256))
        yield Pick(int(row["event"]), row["station"], first + at, ratio, float(spectrum[4:40].max()))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("waves")
    ap.add_argument("events")
    args = ap.parse_args()

    with open(args.events) as f:
        rows = list(csv.DictReader(f))
    per_event = defaultdict(list)
    with open("picks.csv", "w") as out:
        for p in process(Archive(args.waves), rows):
            out.write(f"{p.event},{p.station},{p.sample},{p.ratio:.5f},{p.amplitude:.3f}\n")
            per_event[p.event].append(np.log10(p.amplitude))
    size = np.array([np.median(v) for v in per_event.values()])
    print(f"{len(rows)} picks, {len(size)} events, mean log amplitude {size.mean():.6f}, spread {size.std():.6f}")


if __name__ == "__main__":
    main()
