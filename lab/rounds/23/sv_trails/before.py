#!/usr/bin/env python3
"""Find satellite trails in a stack of difference images by a Hough transform.

usage: trails.py diff.dat NFRAMES trails.csv
diff.dat: frames of 512 x 512 float32, mapped, one frame after the other.
"""
import logging
import sys

import numpy as np

NY = NX = 512
NTHETA = 180
log = logging.getLogger("trails")


def open_stack(path, count):
    stack = np.memmap(path, dtype="<f4", mode="r")
    if stack.size != count * NY * NX:
        raise ValueError(f"{path}: {stack.size} pixels, expected {count * NY * NX}")
    return stack.reshape(count, NY, NX)


def bright(frame, nsigma=2.2):
    med = np.median(frame)
    sigma = 1.4826 * np.median(np.abs(frame - med))
    return np.nonzero(frame > med + nsigma * sigma)


def hough(y, x):
    """Accumulator over (theta, rho) for the bright pixels."""
    diag = int(np.hypot(NY, NX)) + 1
    acc = np.zeros((NTHETA, 2 * diag), dtype="i4")
    for k in range(NTHETA):
        theta = np.pi * k / NTHETA
        rho = np.rint(x * np.cos(theta) + y * np.sin(theta)).astype("i4") + diag
        acc[k] = np.bincount(rho, minlength=2 * diag)
    return acc, diag


def detect(frame):
    y, x = bright(frame)
    acc, diag = hough(y, x)
    level = np.median(acc[acc > 0])
    k, r = np.unravel_index(acc.argmax(), acc.shape)
    return len(x), 180.0 * k / NTHETA, int(r) - diag, int(acc[k, r]), float(level)


def main():
    logging.basicConfig(level=logging.WARNING)
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    stack = open_stack(sys.argv[1], int(sys.argv[2]))
    found = 0
    with open(sys.argv[3], "w") as out:
        out.write("frame,pixels,theta,rho,votes,level\n")
        for k, frame in enumerate(stack):
            n, theta, rho, votes, level = detect(np.array(frame))
            if votes > 5 * level:
                found += 1
                out.write(f"{k},{n},{theta:.1f},{rho},{votes},{level:.1f}\n")
                out.flush()
            else:
                log.info("frame %d: nothing above %.1f", k, level)
    print(f"{len(stack)} frames, {found} with a trail")


if __name__ == "__main__":
    main()
