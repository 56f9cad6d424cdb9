"""Decaying random velocity field in a periodic box, archived for later spectra."""
import sys

import h5py
import numpy as np


def initial(n, rng):
    k = np.fft.fftfreq(n, 1.0 / n)
    kx, ky, kz = np.meshgrid(k, k, np.fft.rfftfreq(n, 1.0 / n), indexing="ij")
    k2 = kx ** 2 + ky ** 2 + kz ** 2
    k2[0, 0, 0] = 1.0
    field = [np.fft.rfftn(rng.standard_normal((n, n, n))) * k2 ** (-5.0 / 12.0) for _ in range(3)]
    dot = (kx * field[0] + ky * field[1] + kz * field[2]) / k2
    field = [field[0] - kx * dot, field[1] - ky * dot, field[2] - kz * dot]
    return field, (kx, ky, kz), k2


def spectrum(field, k2, n):
    shell = np.sqrt(k2).astype(int).ravel()
    energy = sum(np.abs(f) ** 2 for f in field).ravel() / n ** 6
    return np.bincount(shell, energy, minlength=n)[: n // 2]


class Archive:
    def __init__(self, path, n, frames):
        self.file = h5py.File(path, "w")
        opts = dict(chunks=(1, 1, n, n, n), compression="gzip", compression_opts=9)
        self.velocity = self.file.create_dataset("velocity", (frames, 3, n, n, n), "f8", **opts)
        self.file.attrs["grid"] = n

    def add(self, frame, field, n):
        for c, f in enumerate(field):
            self.velocity[frame, c] = np.fft.irfftn(f, s=(n, n, n), axes=(0, 1, 2))

    def close(self):
        self.file.close()


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    frames = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    field, _, k2 = initial(n, np.random.default_rng(2024))
    archive = Archive("velocity.h5", n, frames)
    viscosity, dt = 4e-4, 0.05
    for frame in range(frames):
        archive.add(frame, field, n)
        e = spectrum(field, k2, n)
        print(f"frame {frame}  energy {e.sum():.6e}  peak shell {int(e[1:].argmax()) + 1}")
        for _ in range(4):
            field = [f * np.exp(-viscosity * k2 * dt) for f in field]
    archive.close()
    with h5py.File("velocity.h5") as f:
        last = f["velocity"][frames - 1]
        print(f"rms of the last frame {np.sqrt((last ** 2).mean()):.6e}")


if __name__ == "__main__":
    main()
