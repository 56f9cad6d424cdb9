"""Red-edge profile along a flight transect from daily hyperspectral cubes.

Each day's cube is (band, line, sample); the profile needs the lines of the
transect in one band.
"""
import argparse
import configparser
import pathlib

import numpy as np


class Transect:
    def __init__(self, cfg):
        s = cfg["transect"]
        self.band = s.getint("band")
        self.first = s.getint("first_line")
        self.last = s.getint("last_line")
        self.gain = s.getfloat("gain")
        self.dark = s.getfloat("dark")
        self.shape = tuple(int(n) for n in cfg["cube"]["shape"].split())


def days(folder):
    return sorted(pathlib.Path(folder).glob("cube_*.dat"))


def strip(path, transect):
    """Reflectance of the transect's lines on one day."""
    with open(path, "rb") as f:
        _, lines, samples = transect.shape
        f.seek(2 * samples * (transect.band * lines + transect.first))
        raw = np.fromfile(f, dtype="<u2", count=samples * (transect.last - transect.first))
    raw = raw.reshape(-1, samples)
    return (raw.astype(np.float64) - transect.dark) * transect.gain


def smooth(profile, width):
    kernel = np.ones(width) / width
    return np.convolve(profile, kernel, mode="same")


def series(paths, transect, width):
    """Mean profile of each day, smoothed along the flight line."""
    rows = []
    for path in paths:
        field = strip(path, transect)
        rows.append(smooth(field.mean(axis=0), width))
    return np.array(rows)


def greenup(rows, share):
    """First day at which the mean exceeds the share of its range."""
    level = rows.mean(axis=1)
    cut = level.min() + share * (level.max() - level.min())
    return int(np.argmax(level > cut))


def report(rows, day, out):
    np.save(out, rows)
    with open("transect.txt", "w") as f:
        f.write(f"days {len(rows)}\n")
        f.write(f"greenup {day}\n")
        f.write(f"mean {rows.mean():.6f}\n")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("folder")
    p.add_argument("--config", default="transect.ini")
    p.add_argument("--width", type=int, default=9)
    p.add_argument("--share", type=float, default=0.5)
    p.add_argument("--out", default="profiles.npy")
    args = p.parse_args()

    cfg = configparser.ConfigParser()
    cfg.read(args.config)
    transect = Transect(cfg)
    paths = days(args.folder)
    rows = series(paths, transect, args.width)
    day = greenup(rows, args.share)
    report(rows, day, args.out)
    print(f"{len(rows)} days, greenup on day {day}")
    print(f"mean {rows.mean():.8f} sd {rows.std():.8f}")


if __name__ == "__main__":
    main()
