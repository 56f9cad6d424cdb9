"""Weather radar: reflectivity and Doppler velocity from simulated I/Q data.

For each sweep the pulse-pair estimator gives power and mean velocity on a
polar grid (ray, gate); the moments of all sweeps go to one HDF5 volume.
"""
import sys

import h5py
import numpy as np

N_SWEEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 8
N_GATES = int(sys.argv[2]) if len(sys.argv) > 2 else 960
N_RAYS = 360
N_PULSES = 8
PRF = 1000.0             # Hz
WAVELENGTH = 0.0535      # m, C band
GATE = 125.0             # m
NOISE = 0.05


def wind_field(sweep):
    """Radial velocity and echo power of a moving rain band."""
    az = np.deg2rad(np.arange(N_RAYS))[:, None]
    r = (np.arange(N_GATES) * GATE)[None, :]
    x, y = r * np.sin(az), r * np.cos(az)
    front = (x * 0.8 + y * 0.6) / 1000.0 - 20.0 - 2.5 * sweep
    power = 3.0 * np.exp(-(front / 12.0) ** 2) + 0.2
    speed = 8.0 + 3.0 * np.tanh(front / 5.0)
    return power, speed * np.cos(az - 0.9)


def simulate_iq(power, v, rng):
    """Pulses of each gate: coherent phasor plus receiver noise."""
    k = np.arange(N_PULSES, dtype=np.float32)[:, None, None]
    phase = (-4 * np.pi / WAVELENGTH / PRF * v).astype(np.float32)[None] * k
    shape = phase.shape
    iq = np.empty(shape, np.complex64)
    amp = np.sqrt(power).astype(np.float32)
    iq.real = amp * np.cos(phase) + NOISE * rng.standard_normal(shape, np.float32)
    iq.imag = amp * np.sin(phase) + NOISE * rng.standard_normal(shape, np.float32)
    return iq


def pulse_pair(iq):
    """Power in dB and mean velocity from the lag-one autocorrelation."""
    p = np.mean(np.abs(iq) ** 2, axis=0)
    r1 = np.mean(np.conj(iq[:-1]) * iq[1:], axis=0)
    v = -np.angle(r1) * WAVELENGTH * PRF / (4 * np.pi)
    return 10 * np.log10(p + 1e-9), v


def create_volume(path):
    f = h5py.File(path, "w")
    shape = (N_SWEEPS, N_RAYS, N_GATES)
    layout = dict(dtype="f4", chunks=(1, N_RAYS, N_GATES))
    f.create_dataset("reflectivity", shape, **layout)
    f.create_dataset("velocity", shape, **layout)
    f["reflectivity"].attrs["units"] = "dB"
    f["velocity"].attrs["units"] = "m/s"
    return f


def main():
    rng = np.random.default_rng(77)
    vol = create_volume("volume.h5")
    for s in range(N_SWEEPS):
        power, v = wind_field(s)
        dbz, vel = pulse_pair(simulate_iq(power, v, rng))
        vol["reflectivity"][s] = dbz
        vol["velocity"][s] = vel
    vol.close()
    # velocity-azimuth display of the ring at 15 km for the last sweep
    with h5py.File("volume.h5", "r") as f:
        ring = f["velocity"][N_SWEEPS - 1, :, 120]
    a = np.deg2rad(np.arange(N_RAYS))
    u, w = 2 * np.mean(ring * np.sin(a)), 2 * np.mean(ring * np.cos(a))
    print("sweeps %d  VAD wind %.2f m/s from %.0f deg"
          % (N_SWEEPS, np.hypot(u, w), np.degrees(np.arctan2(u, w)) % 360))


if __name__ == "__main__":
    main()
