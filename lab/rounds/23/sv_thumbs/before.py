#!/usr/bin/env python3
"""Quick-look thumbnails of the night's guider images, with cosmic rays filtered out.

usage: thumbs.py guider/ thumbs/
"""
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from PIL import Image, ImageFilter, ImageOps, ImageStat

SIZE = (160, 160)


def despeckle(image):
    """Two median passes: single hot pixels, then short tracks."""
    image = image.filter(ImageFilter.MedianFilter(3))
    return image.filter(ImageFilter.MedianFilter(5))


def stretch(image):
    return ImageOps.autocontrast(image, cutoff=(1, 0.2))


def one(job):
    source, target = job
    try:
        with Image.open(source) as image:
            frame = image.convert("L")
    except OSError as exc:
        return os.path.basename(source), None, str(exc)
    level = ImageStat.Stat(frame).mean[0]
    small = stretch(despeckle(frame)).resize(SIZE, Image.Resampling.LANCZOS)
    small.save(target, quality=85)
    return os.path.basename(source), level, None


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, target = sys.argv[1:]
    os.makedirs(target, exist_ok=True)
    jobs = [(os.path.join(source, n), os.path.join(target, os.path.splitext(n)[0] + ".jpg"))
            for n in sorted(os.listdir(source)) if n.endswith(".png")]
    if not jobs:
        sys.exit(f"{source}: no images")
    levels, failed = [], 0
    with ThreadPoolExecutor(2) as pool, open(os.path.join(target, "index.csv"), "w") as index:
        index.write("image,level\n")
        for name, level, error in pool.map(one, jobs):
            if error:
                print(f"{name}: unreadable", file=sys.stderr)
                failed += 1
                continue
            index.write(f"{name},{level:.3f}\n")
            levels.append(level)
    written = sum(os.path.getsize(t) for _, t in jobs if os.path.exists(t))
    print(f"{len(levels)} thumbnails, {failed} failed, mean level {sum(levels) / len(levels):.3f}, "
          f"{'some' if written else 'no'} output")


if __name__ == "__main__":
    main()
