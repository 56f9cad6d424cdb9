"""Non-negative factorisation of spectra, scan by scan; a reader thread keeps the next scans ready."""
import os
import queue
import sys
import threading

import numpy as np

SCAN_DIR = "scans"
NCOMP = 6


class ScanReader(threading.Thread):
    def __init__(self, names, depth=3):
        super().__init__(daemon=True)
        self.names = names
        self.ready = queue.Queue(maxsize=depth)

    def run(self):
        for name in self.names:
            self.ready.put(np.load(os.path.join(SCAN_DIR, name)))
        self.ready.put(None)

    def __iter__(self):
        while True:
            scan = self.ready.get()
            if scan is None:
                return
            yield scan


class Factoriser:
    def __init__(self, nchan, seed):
        self.rng = np.random.default_rng(seed)
        self.h = self.rng.uniform(0.1, 1.0, (NCOMP, nchan))

    def fit(self, v, sweeps):
        v = np.maximum(v, 1e-6)
        w = self.rng.uniform(0.1, 1.0, (v.shape[0], NCOMP))
        for _ in range(sweeps):
            ratio = v / (w @ self.h + 1e-9)
            w *= (ratio @ self.h.T) / (self.h.sum(axis=1) + 1e-9)
            ratio = v / (w @ self.h + 1e-9)
            self.h *= (w.T @ ratio) / (w.sum(axis=0)[:, None] + 1e-9)
        divergence = np.sum(v * np.log(v / (w @ self.h + 1e-9)) - v + w @ self.h)
        return float(divergence) / v.size


def main():
    sweeps = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    names = sorted(n for n in os.listdir(SCAN_DIR) if n.endswith(".npy"))
    reader = ScanReader(names)
    reader.start()
    model = Factoriser(512, 3)
    quality = []
    for scan in reader:
        quality.append(model.fit(scan.astype(float), sweeps))
    np.save("components.npy", model.h)
    with open("quality.txt", "w") as out:
        for name, q in zip(names, quality):
            out.write(f"{name} {q:.6f}\n")
    print("scans", len(names), "divergence %.6f" % np.mean(quality))


if __name__ == "__main__":
    main()
