#!/usr/bin/env python3
"""Bridge between a slide scanner and the analysis: the scanner thread drops
strips into a spool folder and waits until the previous strip was collected;
the analysis picks each strip up, measures it and leaves a receipt."""
import os
import sys
import threading
import time

import numpy as np

SPOOL = "spool"
POLL = 0.06


def strip_path(i):
    return os.path.join(SPOOL, f"strip_{i:04d}.npy")


def receipt_path(i):
    return os.path.join(SPOOL, f"strip_{i:04d}.done")


def publish(path, array):
    """Write under another name and rename, so readers never see a part."""
    tmp = path + ".part"
    with open(tmp, "wb") as fh:
        np.save(fh, array)
    os.rename(tmp, path)


def wait_for(path):
    while not os.path.exists(path):
        time.sleep(POLL)


class Scanner(threading.Thread):
    def __init__(self, n, height, width):
        super().__init__(name="scanner")
        self.n, self.shape = n, (height, width)

    def expose(self, rng, i):
        row = 100 + 20 * np.sin(np.arange(self.shape[1]) / 90.0 + i)
        return (row + rng.normal(0, 4, self.shape)).astype("f4")

    def run(self):
        rng = np.random.default_rng(8)
        for i in range(self.n):
            if i > 0:
                wait_for(receipt_path(i - 1))
            publish(strip_path(i), self.expose(rng, i))


def collect(i):
    wait_for(strip_path(i))
    return np.load(strip_path(i))


def measure(strip):
    spec = np.abs(np.fft.rfft(strip.mean(axis=0)))
    return float(strip.mean()), int(spec[1:].argmax()) + 1


def acknowledge(i, mean, mode):
    with open(receipt_path(i), "w") as fh:
        fh.write(f"{mean:.6f} {mode}\n")
    os.unlink(strip_path(i))


def main():
    n = int(sys.argv[1])
    os.makedirs(SPOOL, exist_ok=True)
    scanner = Scanner(n, 64, 2048)
    scanner.start()
    means = []
    for i in range(n):
        strip = collect(i)
        mean, mode = measure(strip)
        means.append(mean)
        acknowledge(i, mean, mode)
    scanner.join()
    drift = np.polyfit(np.arange(n), means, 1)[0]
    print(f"{n} strips, mean {np.mean(means):.6f}, drift {drift:.8f}")


if __name__ == "__main__":
    main()
