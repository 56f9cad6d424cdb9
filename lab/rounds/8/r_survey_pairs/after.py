"""Combine the detectors of each exposure of a survey night.

The filter letter in a file name is not known beforehand, so that the frames
of an exposure are looked up by pattern.
"""
import sys
import re
from pathlib import Path

import numpy as np

SIZE = 48
CCDS = 6


class NightArchive:
    """Frames of one night, found by exposure and detector number."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.frames = {}
        for path in self.folder.iterdir():
            match = re.match(r"obs_(\d{5})_ccd(\d\d)_.*\.raw$", path.name)
            if match:
                key = (int(match.group(1)), int(match.group(2)))
                self.frames.setdefault(key, []).append(path)

    def frame_path(self, exposure, ccd):
        found = self.frames.get((exposure, ccd), [])
        if len(found) != 1:
            raise RuntimeError("%d frames for %d/%d" % (len(found), exposure, ccd))
        return found[0]

    def header(self, exposure, ccd):
        path = self.frame_path(exposure, ccd)
        values = np.fromfile(path, dtype="<f8", count=4)
        return {"exposure": int(values[0]), "ccd": int(values[1]),
                "sky": values[2], "noise": values[3],
                "band": path.stem[-1]}


def simulate_pixels(header):
    rng = np.random.default_rng(header["exposure"] * 100 + header["ccd"])
    image = rng.normal(header["sky"], header["noise"], (SIZE, SIZE))
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    for _ in range(5):
        cy, cx = rng.uniform(4, SIZE - 4, 2)
        amp = rng.uniform(50, 400)
        image += amp * np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / 6.0)
    return image


def background(image):
    """Sigma-clipped median of the image."""
    data = image.ravel()
    for _ in range(3):
        med = np.median(data)
        sig = 1.4826 * np.median(np.abs(data - med))
        data = data[np.abs(data - med) < 3 * sig]
    return float(np.median(data)), float(np.std(data))


def detect(image, level, sigma):
    mask = image > level + 5 * sigma
    core = mask[1:-1, 1:-1]
    peak = image[1:-1, 1:-1]
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy or dx:
                core = core & (peak >= image[1 + dy:SIZE - 1 + dy, 1 + dx:SIZE - 1 + dx])
    return int(core.sum())


def process_exposure(archive, exposure):
    levels, sources, bands = [], 0, []
    for ccd in range(CCDS):
        header = archive.header(exposure, ccd)
        image = simulate_pixels(header)
        level, sigma = background(image)
        levels.append(level)
        bands.append(header["band"])
        sources += detect(image, level, sigma)
    return np.mean(levels), sources, "".join(bands)


def main():
    nexp = int(sys.argv[1])
    stride = 700 // nexp
    archive = NightArchive(sys.argv[2] if len(sys.argv) > 2 else "night")
    table = []
    for k in range(nexp):
        table.append(process_exposure(archive, k * stride))
    with open("night_summary.txt", "w") as out:
        for k, (level, sources, bands) in enumerate(table):
            out.write("%5d %10.3f %4d %s\n" % (k * stride, level, sources, bands))
    print("exposures %d  sources %d  sky %.4f"
          % (nexp, sum(t[1] for t in table), np.mean([t[0] for t in table])))


if __name__ == "__main__":
    main()
