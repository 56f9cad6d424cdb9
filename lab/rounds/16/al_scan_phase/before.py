"""Ptychography: object and probe from overlapping diffraction frames (ePIE).

The frames are visited in random order in each sweep, which helps convergence.
usage: epie.py frames.u16 sweeps
"""
import os
import sys

import numpy as np

SIDE = 384                # pixels of a frame
STEP = 24                 # pixels between scan positions
COLUMNS = 12
ALPHA, BETA = 0.6, 0.3    # step lengths of object and probe
SCALE = 1e-2


class FrameFile:
    """Diffraction frames in one binary file."""

    def __init__(self, name):
        self.file = open(name, "rb")
        self.nbytes = SIDE * SIDE * 2
        self.count = os.path.getsize(name) // self.nbytes

    def modulus(self, k):
        self.file.seek(k * self.nbytes)
        counts = np.frombuffer(self.file.read(self.nbytes), np.uint16).reshape(SIDE, SIDE)
        return np.sqrt(counts.astype(np.float32)) * SCALE


def initial_probe():
    y, x = np.indices((SIDE, SIDE)) - SIDE / 2
    r2 = x * x + y * y
    return (np.exp(-r2 / (0.18 * SIDE) ** 2) * np.exp(1j * r2 / 4000.0)).astype(np.complex64)


def position(k):
    row, col = divmod(k, COLUMNS)
    return row * STEP, col * STEP


def update(obj, probe, modulus, k):
    """One ePIE step at scan position k; returns the misfit of the frame."""
    y, x = position(k)
    view = obj[y:y + SIDE, x:x + SIDE]
    exit_wave = view * probe
    far = np.fft.fft2(exit_wave)
    amplitude = np.abs(far)
    misfit = float(((amplitude - modulus) ** 2).mean())
    corrected = np.fft.ifft2(far * (modulus / (amplitude + 1e-6))).astype(np.complex64)
    change = corrected - exit_wave
    old = view.copy()
    view += ALPHA * np.conj(probe) / (np.abs(probe) ** 2).max() * change
    probe += BETA * np.conj(old) / (np.abs(old) ** 2).max() * change
    return misfit


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "frames.u16"
    sweeps = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    frames = FrameFile(name)
    rows = -(-frames.count // COLUMNS)
    shape = (SIDE + rows * STEP, SIDE + COLUMNS * STEP)
    obj = np.ones(shape, np.complex64)
    probe = initial_probe()
    rng = np.random.default_rng(4)
    for sweep in range(sweeps):
        misfits = [update(obj, probe, frames.modulus(k), k) for k in rng.permutation(frames.count)]
        print("sweep %d  misfit %.6g" % (sweep + 1, np.mean(misfits)))
    np.save("object.npy", obj)
    np.save("probe.npy", probe)


if __name__ == "__main__":
    main()
