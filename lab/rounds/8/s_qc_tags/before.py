"""Quality control of radiosonde ascents, kept in one HDF5 file per season.

For each ascent the profile is stored together with the outcome of the tests
(pressure monotony, lapse rate, wind shear, background check).
"""
import sys
import numpy as np
import h5py

TESTS = ("monotony", "lapse", "shear", "background", "range", "spike")


def make_ascents(count, nlev):
    rng = np.random.default_rng(414)
    height = np.linspace(0.0, 24000.0, nlev)
    for k in range(count):
        temp = 288.0 - 0.0065 * np.minimum(height, 11000.0)
        temp = temp + rng.normal(0.0, 0.6, nlev)
        if rng.random() < 0.2:
            temp[rng.integers(1, nlev)] += rng.normal(0.0, 14.0)
        pres = 1013.0 * np.exp(-height / 7600.0)
        wind = 5.0 + 0.002 * height + rng.normal(0.0, 1.5, nlev)
        yield k, np.stack([pres, height, temp, wind])


def lapse_limits(prof):
    rate = -np.diff(prof[2]) / np.diff(prof[1]) * 1000.0
    return float(rate.max()), int((rate > 15.0).sum())


def spike_score(values, half=4):
    """Largest distance from the running median in robust sigmas."""
    n = values.size
    win = np.lib.stride_tricks.sliding_window_view(values, 2 * half + 1)
    med = np.median(win, axis=1)
    dev = np.abs(values[half:n - half] - med)
    mad = np.median(dev) * 1.4826 + 1e-9
    return float(dev.max() / mad)


def run_tests(prof, climate):
    """Dictionary test -> (value, threshold, failed levels, verdict)."""
    res = {}
    up = int((np.diff(prof[0]) >= 0).sum())
    res["monotony"] = (float(up), 0.5, up)
    value, levels = lapse_limits(prof)
    res["lapse"] = (value, 40.0, levels)
    shear = np.abs(np.diff(prof[3]))
    res["shear"] = (float(shear.max()), 9.0, int((shear > 9.0).sum()))
    off = np.abs(prof[2] - climate)
    res["background"] = (float(off.max()), 8.0, int((off > 8.0).sum()))
    res["range"] = (float(prof[2].min()), 320.0, int((prof[2] < 180.0).sum()))
    res["spike"] = (spike_score(prof[2]), 9.0, 0)
    return res


class SeasonFile:
    def __init__(self, path, count, nlev):
        self.file = h5py.File(path, "w")
        self.profiles = self.file.create_dataset("profiles", (count, 4, nlev), dtype="f4")
        self.qc = self.file.create_group("qc")
        self.setup(count)

    def setup(self, count):
        self.groups = {name: self.qc.create_group(name, track_order=True) for name in TESTS}

    def add(self, k, prof, result):
        self.profiles[k] = prof
        for name, (value, limit, levels) in result.items():
            self.tag(name, k, value, limit, levels)

    def tag(self, name, k, value, limit, levels):
        where = self.groups[name].attrs
        where["%05d_value" % k] = value
        where["%05d_levels" % k] = levels
        where["%05d_failed" % k] = bool(value > limit)

    def close(self):
        self.finish()
        self.file.close()

    def finish(self):
        pass


def main():
    count, nlev = int(sys.argv[1]), int(sys.argv[2])
    climate = 288.0 - 0.0065 * np.minimum(np.linspace(0.0, 24000.0, nlev), 11000.0)
    season = SeasonFile("season.h5", count, nlev)
    failed = dict.fromkeys(TESTS, 0)
    for k, prof in make_ascents(count, nlev):
        result = run_tests(prof, climate)
        season.add(k, prof, result)
        for name, (value, limit, _) in result.items():
            failed[name] += value > limit
    season.close()
    for name in TESTS:
        print("%-12s %5d of %d failed" % (name, failed[name], count))


if __name__ == "__main__":
    main()
