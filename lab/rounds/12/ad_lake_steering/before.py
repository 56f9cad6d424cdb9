"""One-dimensional lake model: seasonal stratification by wind mixing and
convection, hour by hour. A run of a century is long enough that people want
to adjust the coefficients while it goes on, hence the steering file."""
import json
import math
import os
import sys

DEFAULTS = {
    "wind_mixing": 0.12,        # m per (m/s)^3 and day
    "extinction": 0.45,         # 1/m
    "albedo": 0.07,
    "exchange": 22.0,           # W/m2/K
    "leak": 0.004,              # hypolimnion warming per day
}
DEPTH = 40.0
RHO_CP = 4.18e6
STEERING = "steering.json"


class Coefficients:
    """The model's coefficients; they follow the steering file."""

    def __init__(self, path):
        self._path = path
        self._stamp = None
        self._values = dict(DEFAULTS)

    def _sync(self):
        stamp = os.stat(self._path).st_mtime_ns
        if stamp != self._stamp:
            with open(self._path) as f:
                self._values.update(json.load(f))
            self._stamp = stamp

    def __getitem__(self, name):
        self._sync()
        return self._values[name]


def weather(hour, state):
    """Air temperature, radiation and wind from climate plus red noise."""
    day = hour / 24.0
    state = 0.97 * state + 0.9 * math.sin(12.9898 * hour) * math.cos(78.233 * day)
    season = math.cos(2 * math.pi * (day - 200) / 365.25)
    air = 9.0 + 10.0 * season + state
    sun = max(0.0, math.sin(2 * math.pi * (hour % 24 - 6) / 24)) * (420 + 330 * season)
    wind = abs(3.5 - 1.0 * season + 0.6 * state)
    return air, sun, wind, state


class Lake:
    def __init__(self, coefficients):
        self.k = coefficients
        self.upper, self.lower, self.mixed = 5.0, 5.0, DEPTH * 0.5

    def step(self, air, sun, wind, dt):
        k = self.k
        absorbed = sun * (1 - k["albedo"])
        below = absorbed * math.exp(-k["extinction"] * self.mixed)
        loss = k["exchange"] * (self.upper - air)
        self.upper += dt * (absorbed - below - loss) / (RHO_CP * self.mixed)
        self.lower += dt * below / (RHO_CP * max(DEPTH - self.mixed, 1.0))
        self.lower += k["leak"] * (self.upper - self.lower) * dt / 86400.0
        contrast = max(abs(self.upper - self.lower), 0.05)
        if self.upper > self.lower:
            deepen = k["wind_mixing"] * wind ** 3 / (30.0 * contrast)
            shoal = 0.9 * sun / 400.0 * contrast
            target = self.mixed + (deepen - shoal) * dt / 86400.0
            self._entrain(min(max(target, 3.0), DEPTH - 1.0))
        else:
            mean = (self.upper * self.mixed + self.lower * (DEPTH - self.mixed)) / DEPTH
            self.upper = self.lower = mean
            self.mixed = DEPTH - 1.0

    def _entrain(self, depth):
        if depth > self.mixed:
            gain = depth - self.mixed
            self.upper = (self.upper * self.mixed + self.lower * gain) / depth
        self.mixed = depth


def main():
    years = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    with open(STEERING, "w") as f:
        json.dump({"wind_mixing": 0.15, "albedo": 0.06}, f)
    lake, state, rows = Lake(Coefficients(STEERING)), 0.0, []
    warmest, shallowest = -99.0, DEPTH
    for hour in range(int(years * 365.25 * 24)):
        air, sun, wind, state = weather(hour, state)
        lake.step(air, sun, wind, 3600.0)
        warmest, shallowest = max(warmest, lake.upper), min(shallowest, lake.mixed)
        if hour % (24 * 30) == 0:
            rows.append("%8.1f %7.3f %7.3f %7.2f" % (hour / 24.0, lake.upper, lake.lower, lake.mixed))
    with open("lake.txt", "w") as f:
        f.write("\n".join(rows) + "\n")
    print("%d years: warmest %.2f C, shallowest mixed layer %.2f m" % (years, warmest, shallowest))


if __name__ == "__main__":
    main()
