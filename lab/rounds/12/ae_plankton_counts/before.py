"""Plankton camera: objects are found in simulated images and counted by size
class; the size spectra and the thumbnails go into a growing HDF5 file."""
import sys

import h5py
import numpy as np

N = 384
CLASSES = 16
THUMBS = 8
GROUP = 12                 # images per append


class Log:
    """Appends whole groups of images to the record of the cruise."""

    def __init__(self, path):
        self.file = h5py.File(path, "w")
        self.spectra = self.file.create_dataset(
            "spectra", (0, CLASSES), maxshape=(None, CLASSES), chunks=(1024, CLASSES), dtype="i4")
        self.thumbs = self.file.create_dataset(
            "thumbs", (0, THUMBS, 32, 32), maxshape=(None, THUMBS, 32, 32),
            chunks=(GROUP, THUMBS, 32, 32), dtype="u1", compression="gzip", compression_opts=1)
        self.file.attrs["camera"] = "towed, 17 um per pixel"

    def append(self, spectra, thumbs):
        n = len(self.spectra)
        for ds, new in ((self.spectra, spectra), (self.thumbs, thumbs)):
            ds.resize(n + len(new), axis=0)
            ds[n:] = new
        self.file.flush()

    def close(self):
        self.file.close()


def water(rng):
    """A noisy image with some bright bodies of different sizes."""
    img = rng.normal(20, 4, (N, N))
    for _ in range(rng.integers(10, 30)):
        y, x = rng.integers(16, N - 16, 2)
        r = min(14.0, rng.pareto(2.0) * 2 + 2)
        yy, xx = np.mgrid[-16:16, -16:16]
        img[y - 16:y + 16, x - 16:x + 16] += 120 * np.exp(-(yy ** 2 + 2 * xx ** 2) / r ** 2)
    return np.clip(img, 0, 255).astype(np.uint8)


def blur(img):
    f = img.astype(np.float32)
    for axis in (0, 1):
        f = 0.25 * np.roll(f, 1, axis) + 0.5 * f + 0.25 * np.roll(f, -1, axis)
    return f


def label(mask):
    """Connected regions by repeated spreading of the largest number."""
    lab = np.where(mask, np.arange(1, mask.size + 1).reshape(mask.shape), 0)
    for _ in range(40):
        new = lab.copy()
        for axis in (0, 1):
            for d in (1, -1):
                np.maximum(new, np.roll(lab, d, axis), out=new)
        new[~mask] = 0
        if (new == lab).all():
            break
        lab = new
    return lab


def describe(img):
    lab = label(blur(blur(img)) > 45)
    numbers, area = np.unique(lab[lab > 0], return_counts=True)
    size = np.minimum(CLASSES - 1, (2 * np.log2(area)).astype(int))
    spectrum = np.bincount(size, minlength=CLASSES)[:CLASSES]
    thumbs = np.zeros((THUMBS, 32, 32), np.uint8)
    for k, n in enumerate(numbers[np.argsort(area)[::-1][:THUMBS]]):
        y, x = divmod(int(n) - 1, N)
        cut = img[max(0, y - 24):y + 8, max(0, x - 16):x + 16]
        thumbs[k, :cut.shape[0], :cut.shape[1]] = cut
    return spectrum, thumbs


def main():
    groups = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    rng = np.random.default_rng(99)
    log = Log("cruise.h5")
    total = np.zeros(CLASSES, int)
    for g in range(groups):
        found = [describe(water(rng)) for _ in range(GROUP)]
        spectra = np.array([s for s, _ in found])
        log.append(spectra, np.array([t for _, t in found]))
        total += spectra.sum(axis=0)
        print(f"group {g}: {spectra.sum()} bodies")
    log.close()
    print("size spectrum:", *total)


if __name__ == "__main__":
    main()
