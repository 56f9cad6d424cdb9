#!/usr/bin/env python3
"""Make finding charts from a pyramid of survey tiles (plate-carree grid, row_col.png).

Tile addressing as in web-map tilers of the gdal2tiles kind; own code.
usage: charts.py tiles/ targets.csv charts/
A chart is a window of 192 pixels around the target, assembled from up to four tiles, stretched
and marked; a contact sheet of charts is written per field.
"""
import csv
import os
import sys

import numpy as np
from PIL import Image, ImageDraw, ImageOps

TILE = 1024
CHART = 192


class Pyramid:
    def __init__(self, folder):
        self.folder = folder
        self.index = {}
        self.decoded = {}
        for name in os.listdir(folder):
            row, col = os.path.splitext(name)[0].split("_")
            self.index[int(row), int(col)] = os.path.join(folder, name)
        self.rows = 1 + max(r for r, _ in self.index)
        self.cols = 1 + max(c for _, c in self.index)

    def tile(self, row, col):
        path = self.index.get((row, col))
        if path is None:
            return None
        if path in self.decoded:
            return self.decoded[path]
        with Image.open(path) as image:
            if image.size != (TILE, TILE):
                raise ValueError(f"{path}: size {image.size}")
            self.decoded[path] = image.convert("L")
        return self.decoded[path]

    def window(self, x0, y0, size):
        out = Image.new("L", (size, size))
        for row in range(y0 // TILE, (y0 + size - 1) // TILE + 1):
            for col in range(x0 // TILE, (x0 + size - 1) // TILE + 1):
                tile = self.tile(row, col)
                if tile is None:
                    continue
                out.paste(tile, (col * TILE - x0, row * TILE - y0))
        return out


def chart(pyramid, x, y, label):
    window = pyramid.window(int(x) - CHART // 2, int(y) - CHART // 2, CHART)
    window = ImageOps.autocontrast(window, cutoff=1)
    draw = ImageDraw.Draw(window)
    mid = CHART // 2
    draw.line([(mid - 20, mid), (mid - 8, mid)], fill=255)
    draw.line([(mid, mid - 20), (mid, mid - 8)], fill=255)
    draw.text((4, 4), label, fill=255)
    return window


def sheet(charts, path, across=6):
    rows = -(-len(charts) // across)
    page = Image.new("L", (across * CHART, rows * CHART))
    for k, one in enumerate(charts):
        page.paste(one, (k % across * CHART, k // across * CHART))
    page.save(path, compress_level=1)
    return float(np.asarray(page, "f4").mean())


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    pyramid = Pyramid(sys.argv[1])
    os.makedirs(sys.argv[3], exist_ok=True)
    fields = {}
    with open(sys.argv[2], newline="") as f:
        for row in csv.DictReader(f):
            fields.setdefault(row["field"], []).append((row["name"], float(row["x"]), float(row["y"])))
    for field, targets in sorted(fields.items()):
        charts = [chart(pyramid, x, y, name) for name, x, y in targets]
        mean = sheet(charts, os.path.join(sys.argv[3], f"{field}.png"))
        print(f"{field}: {len(charts)} charts, mean level {mean:.3f}")


if __name__ == "__main__":
    main()
