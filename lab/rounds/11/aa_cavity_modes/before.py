"""FDTD simulation of a microwave cavity (TM modes): snapshots and the signal
of a probe go to an HDF5 file, and the probe gives the resonance."""
import sys

import h5py
import numpy as np

N = 220                      # cells along each side
SIDE = 0.30                  # m
C = 299792458.0
COURANT = 0.5
SNAP = 20                    # steps between snapshots
FLUSH = 600                  # steps between flushes
PROBE = (71, 93)


def obstacle():
    """Dielectric post in the cavity."""
    y, x = np.mgrid[0:N, 0:N]
    post = (x - 0.6 * N) ** 2 + (y - 0.55 * N) ** 2 < (0.08 * N) ** 2
    return np.where(post, 1.0 / 4.0, 1.0)


def source(step):
    return np.exp(-((step - 60.0) / 20.0) ** 2)


def advance(ez, hx, hy, inv_eps):
    hx[:, :] -= COURANT * (ez[:, 1:] - ez[:, :-1])
    hy[:, :] += COURANT * (ez[1:, :] - ez[:-1, :])
    ez[1:-1, 1:-1] += COURANT * inv_eps[1:-1, 1:-1] * (
        hy[1:, 1:-1] - hy[:-1, 1:-1] - hx[1:-1, 1:] + hx[1:-1, :-1])


def open_output(path, steps):
    f = h5py.File(path, "w")
    f.create_dataset("ez", (steps // SNAP, N, N), dtype="f4", chunks=(4, N, N))
    f.create_dataset("probe", (steps,), dtype="f8")
    f.attrs["side"] = SIDE
    f.attrs["cells"] = N
    return f


def resonance(signal):
    dt = COURANT * SIDE / N / C
    power = np.abs(np.fft.rfft(signal * np.hanning(signal.size))) ** 2
    freq = np.fft.rfftfreq(signal.size, dt)
    power[freq < 2e8] = 0.0
    return freq[np.argmax(power)]


def main(steps):
    ez = np.zeros((N, N))
    hx = np.zeros((N, N - 1))
    hy = np.zeros((N - 1, N))
    inv_eps = obstacle()
    signal = np.zeros(steps)
    with open_output("cavity.h5", steps) as f:
        snaps = f["ez"]
        for s in range(steps):
            advance(ez, hx, hy, inv_eps)
            ez[N // 3, N // 4] += source(s)
            signal[s] = ez[PROBE]
            if s % SNAP == SNAP - 1:
                snaps[s // SNAP] = ez
            if s % FLUSH == FLUSH - 1:
                f.flush()
        f["probe"][:] = signal
        f.attrs["resonance"] = resonance(signal)
    print(f"{steps} steps, resonance {resonance(signal) / 1e9:.4f} GHz")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6000)
