"""Weather radar: stores raw pulses per range gate, then pulse-pair Doppler moments."""
import sys

import h5py
import numpy as np

GATES = 768
BLOCK = 64
WAVELENGTH = 0.053
PRT = 1.0e-3


def pulses(first, count, rng, truth):
    """Complex voltages of `count` pulses, as float32 I and Q."""
    n = np.arange(first, first + count)[:, None]
    phase = 4.0 * np.pi * truth[None, :] * PRT * n / WAVELENGTH
    noise = rng.standard_normal((count, GATES, 2), dtype=np.float32) * 0.3
    return (np.cos(phase) + noise[..., 0]).astype("f4"), (np.sin(phase) + noise[..., 1]).astype("f4")


def record(path, total):
    rng = np.random.default_rng(5)
    truth = 6.0 * np.sin(np.linspace(0.0, 3.0 * np.pi, GATES))
    with h5py.File(path, "w") as f:
        shape = dict(shape=(0, GATES), maxshape=(None, GATES), dtype="f4", chunks=(1, 24))
        inphase = f.create_dataset("I", **shape)
        quadrature = f.create_dataset("Q", **shape)
        f.attrs["wavelength"] = WAVELENGTH
        for first in range(0, total, BLOCK):
            count = min(BLOCK, total - first)
            i, q = pulses(first, count, rng, truth)
            inphase.resize(first + count, axis=0)
            quadrature.resize(first + count, axis=0)
            inphase[first:first + count] = i
            quadrature[first:first + count] = q


def moments(path):
    with h5py.File(path, "r+") as f:
        i, q = f["I"], f["Q"]
        lag1 = np.zeros(GATES, dtype=complex)
        power = np.zeros(GATES)
        n = 0
        for first in range(0, i.shape[0], BLOCK):
            z = i[first:first + BLOCK].astype("f8") + 1j * q[first:first + BLOCK]
            power += np.sum(np.abs(z) ** 2, axis=0)
            lag1 += np.sum(np.conj(z[:-1]) * z[1:], axis=0)
            n += z.shape[0]
        velocity = WAVELENGTH / (4.0 * np.pi * PRT) * np.angle(lag1)
        width = np.sqrt(np.maximum(0.0, 1.0 - np.abs(lag1) / power))
        f["velocity"] = velocity
        f["width"] = width
        f["power"] = power / n
    return velocity, width


def main():
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 900
    record("scan.h5", total)
    velocity, width = moments("scan.h5")
    print("velocity range %.4f %.4f  mean width %.5f" % (velocity.min(), velocity.max(), width.mean()))


if __name__ == "__main__":
    main()
