"""Atom interferometer: fringe images of a camera, fitted and archived.

Each shot gives a frame with shot noise and read noise.  The phase of the
fringe pattern is found by a projection on sine and cosine, and the raw frames
are archived for a later, finer analysis.
"""
import sys

import numpy as np

N_SHOTS = int(sys.argv[1]) if len(sys.argv) > 1 else 90
SIZE = int(sys.argv[2]) if len(sys.argv) > 2 else 320
K_FRINGE = 2 * np.pi / 23.0      # rad per pixel
ATOMS = 400.0                    # mean counts per pixel
CONTRAST = 0.45
READ_NOISE = 3.0
ARCHIVE = "frames.raw"


def envelope(n):
    y, x = np.mgrid[0:n, 0:n]
    return np.exp(-((x - n / 2) ** 2 + (y - n / 2) ** 2) / (2 * (n / 4.0) ** 2))


def take_shot(env, phase, rng):
    x = np.arange(env.shape[1])
    mean = ATOMS * env * (1 + CONTRAST * np.cos(K_FRINGE * x + phase))
    frame = rng.poisson(mean) + rng.normal(0, READ_NOISE, env.shape)
    return frame.astype(np.float32)


def fit_phase(frame, env):
    """Weighted projection on the two quadratures of the fringe."""
    x = np.arange(frame.shape[1])
    w = env / (ATOMS * env + READ_NOISE ** 2)
    res = frame - ATOMS * env
    c = np.sum(w * res * np.cos(K_FRINGE * x))
    s = -np.sum(w * res * np.sin(K_FRINGE * x))
    return np.arctan2(s, c)


def open_archive():
    return open(ARCHIVE, "wb")


def allan_deviation(ph, m):
    means = ph[: len(ph) // m * m].reshape(-1, m).mean(axis=1)
    return np.sqrt(0.5 * np.mean(np.diff(means) ** 2))


def main():
    rng = np.random.default_rng(40)
    env = envelope(SIZE)
    drift = np.cumsum(rng.normal(0, 0.02, N_SHOTS))
    phases = np.empty(N_SHOTS)
    with open_archive() as arch:
        for i in range(N_SHOTS):
            frame = take_shot(env, drift[i], rng)
            arch.write(frame.tobytes())
            phases[i] = fit_phase(frame, env)
    for m in (1, 2, 4, 8):
        print("tau %2d shots: sigma_phi %.4f rad"
              % (m, allan_deviation(phases, m)))
    err = np.std(phases - drift)
    print("rms error %.4f rad over %d shots" % (err, N_SHOTS))


if __name__ == "__main__":
    main()
