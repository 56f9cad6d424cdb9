"""Convert a detector run into one HDF5 file: images plus slow-control readings."""
import sys

import h5py
import numpy as np

NY, NX = 96, 128
SENSORS = ["cryo_temp", "window_temp", "bias_voltage", "bias_current",
           "beam_current", "shutter_phase", "stage_x", "stage_y", "stage_z",
           "pressure_main", "pressure_gate", "humidity", "laser_power",
           "laser_phase", "trigger_delay", "dark_level", "gain_setting",
           "exposure_ms", "readout_ms", "livetime"]


class SlowControl:
    """Readings of all sensors at the time of one frame (a random walk)."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.value = self.rng.uniform(1.0, 50.0, len(SENSORS))

    def readings(self):
        self.value += 0.01 * self.rng.standard_normal(len(SENSORS))
        return dict(zip(SENSORS, self.value.tolist()))


class RunFile:
    """Output file of one run."""

    def __init__(self, path, nframes):
        self.h5 = h5py.File(path, "w")
        self.stack = self.h5.create_dataset("images", (nframes, NY, NX), dtype="u2",
                                            chunks=(8, NY, NX))
        self.table = np.zeros((nframes, len(SENSORS)))
        self.block = np.zeros((8, NY, NX), dtype="u2")

    def add(self, index, image, readings):
        self.block[index % 8] = image
        if index % 8 == 7:
            self.stack[index - 7:index + 1] = self.block
        self._describe(index, readings)

    def _describe(self, index, readings):
        self.table[index] = [readings[key] for key in SENSORS]

    def mean_of(self, key):
        total = 0.0
        for value in self.table[:, SENSORS.index(key)]:
            total += value
        return total / len(self.table)

    def close(self):
        data = self.h5.create_dataset("slow_control", data=self.table)
        data.attrs["columns"] = SENSORS
        self.h5.close()


def speckle(rng, phase):
    """Far field of a random aperture."""
    aperture = np.zeros((NY, NX), dtype=complex)
    aperture[24:72, 32:96] = np.exp(1j * phase[24:72, 32:96])
    field = np.fft.fftshift(np.fft.fft2(aperture))
    intensity = np.abs(field) ** 2
    counts = intensity * (4000.0 / intensity.max())
    noisy = counts + np.sqrt(counts + 1.0) * rng.standard_normal((NY, NX))
    return np.clip(noisy, 0, 65535)


def evolve(rng, phase, kernel):
    kick = rng.standard_normal((NY, NX))
    smooth = np.fft.irfft2(np.fft.rfft2(kick) * kernel, s=(NY, NX))
    return phase + smooth


def correlation(a, b):
    a = a - a.mean()
    b = b - b.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


def acquire(out, nframes):
    rng = np.random.default_rng(9)
    control = SlowControl(10)
    ky = np.fft.fftfreq(NY)[:, None]
    kx = np.fft.rfftfreq(NX)[None]
    kernel = np.exp(-200.0 * (ky ** 2 + kx ** 2))
    phase = rng.uniform(-1.0, 1.0, (NY, NX))
    first = None
    corr = []
    for i in range(nframes):
        phase = evolve(rng, phase, kernel)
        image = speckle(rng, phase)
        if first is None:
            first = image
        corr.append(correlation(first, image))
        out.add(i, image, control.readings())
    return np.array(corr)


def main():
    nframes = int(sys.argv[1]) // 8 * 8
    out = RunFile("run_0042.h5", nframes)
    corr = acquire(out, nframes)
    mean_temp = out.mean_of("cryo_temp")
    out.close()
    half = int(np.argmax(corr < 0.5)) if (corr < 0.5).any() else nframes
    print("frames %d  half-life %d  last correlation %.5f" % (nframes, half, corr[-1]))
    print("mean cryo temperature %.6f" % mean_temp)


if __name__ == "__main__":
    main()
