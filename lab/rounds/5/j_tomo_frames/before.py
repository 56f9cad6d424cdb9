"""Builds a sinogram and its quality measures from the frames of a tomography run."""
import os
import sys

import numpy as np

SIDE = 64
ROW = 31


class RunFolder:
    """The detector's output folder; frames are numbered but numbers may be missing."""

    def __init__(self, path):
        self.path = path
        self.position = 0

    def frames(self):
        names = [n for n in os.listdir(self.path) if n.endswith(".raw")]
        names.sort()
        return names

    def next_frame(self):
        names = self.frames()
        if self.position >= len(names):
            return None
        name = names[self.position]
        self.position += 1
        return os.path.join(self.path, name)


def load_frame(path):
    frame = np.fromfile(path, dtype=np.uint8)
    return frame.reshape(SIDE, SIDE).astype(np.float32)


def read_angle(path):
    with open(path.replace(".raw", ".meta")) as meta:
        for line in meta:
            key, _, value = line.partition("=")
            if key == "theta":
                return float(value)
    return float("nan")


def flat_correct(frame, dark, gain):
    corrected = (frame - dark) * gain
    np.clip(corrected, 1.0, None, out=corrected)
    return -np.log(corrected / 256.0)


def sharpness(frame):
    gy = np.diff(frame, axis=0)
    gx = np.diff(frame, axis=1)
    return float(np.mean(gx * gx) + np.mean(gy * gy))


def main():
    limit = int(sys.argv[1]) if len(sys.argv) > 1 else 10**9
    run = RunFolder("run_0042")
    dark = np.full((SIDE, SIDE), 2.5, dtype=np.float32)
    gain = np.linspace(0.95, 1.05, SIDE, dtype=np.float32)[None, :]
    rows, angles, quality = [], [], []

    while len(rows) < limit:
        path = run.next_frame()
        if path is None:
            break
        frame = flat_correct(load_frame(path), dark, gain)
        rows.append(frame[ROW])
        angles.append(read_angle(path))
        quality.append(sharpness(frame))

    sinogram = np.array(rows)
    np.save("sinogram.npy", sinogram)
    print("projections", sinogram.shape[0], "last angle", round(angles[-1], 4))
    print("mean attenuation %.6f" % sinogram.mean())
    print("sharpness %.6f +- %.6f" % (np.mean(quality), np.std(quality)))


if __name__ == "__main__":
    main()
