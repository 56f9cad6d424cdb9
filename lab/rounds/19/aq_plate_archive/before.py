#!/usr/bin/env python3
"""Collect the wells of imaging plates into one zip archive: a thumbnail
(raw grey bytes) and a JSON record for each well, then an index check."""
import argparse
import io
import json
import zipfile
import zlib

import numpy as np

ROWS = "ABCDEFGHIJKLMNOP"


def well_names():
    for r in ROWS:
        for c in range(1, 25):
            yield f"{r}{c:02d}"


def acquire(rng, size=48):
    """Synthetic field of view with a few bright nuclei."""
    img = rng.normal(20, 3, (size, size))
    for _ in range(rng.integers(2, 9)):
        y, x = rng.integers(6, size - 6, 2)
        img[y - 3:y + 3, x - 3:x + 3] += 120
    return np.clip(img, 0, 255).astype("u1")


def describe(img):
    mask = img > 80
    return {"nuclei_area": int(mask.sum()), "mean": round(float(img.mean()), 3),
            "p99": float(np.percentile(img, 99))}


def thumbnail_bytes(img):
    buf = io.BytesIO()
    buf.write(b"P5 %d %d 255\n" % img.shape)
    buf.write(img.tobytes())
    return buf.getvalue()


class PlateArchive:
    def __init__(self, path):
        self.path = path
        with zipfile.ZipFile(path, "w") as z:
            z.writestr("FORMAT", "plate-archive 2\n")

    def add(self, name, payload):
        with zipfile.ZipFile(self.path, "a", zipfile.ZIP_STORED) as z:
            z.writestr(zipfile.ZipInfo(name, (2024, 5, 6, 7, 8, 10)), payload)

    def finish(self):
        pass


def verify(path):
    crc, records, area = 0, 0, 0
    with zipfile.ZipFile(path) as z:
        for info in z.infolist():
            data = z.read(info)
            crc = zlib.crc32(data, crc)
            if info.filename.endswith(".json"):
                area += json.loads(data)["nuclei_area"]
                records += 1
    return crc, records, area


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("plates", type=int)
    ap.add_argument("--out", default="screen.zip")
    args = ap.parse_args()

    rng = np.random.default_rng(77)
    archive = PlateArchive(args.out)
    for plate in range(args.plates):
        for well in well_names():
            img = acquire(rng)
            record = describe(img)
            record["well"] = well
            base = f"plate{plate:02d}/{well}"
            archive.add(base + ".pgm", thumbnail_bytes(img))
            archive.add(base + ".json", json.dumps(record))
    archive.finish()

    crc, records, area = verify(args.out)
    print(f"{records} wells archived, total nuclei area {area}, crc {crc:08x}")


if __name__ == "__main__":
    main()
