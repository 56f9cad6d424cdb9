"""Control of the fermentation of lager in a conical tank.

usage: ferment.py wort.txt setpoints.txt hours

The tank is a column of layers with their own temperature and content of sugar, yeast,
ethanol and nitrogen; the cooling jackets follow the set points, which the brewer may edit
at any time: the controller looks before each interval whether the file is a new one. The
record of the tank has a line an interval and is kept up to date for the panel in the
cellar. It is opened for each line, since the panel moves it away once a day.
"""
import os
import sys

import numpy as np

INTERVAL = 5.0 / 60          # hours between two actions of the controller
SUBSTEPS = 60
LAYERS = 400
ARRHENIUS = 6800.0           # kelvin
CONDUCTION = 900.0           # exchange between layers, 1/h


def read_wort(name: str) -> dict[str, float]:
    with open(name) as lines:
        return {key: float(value) for key, value in (line.split() for line in lines)}


class SetPoints:
    """The wanted temperature by the hour, read anew when the brewer changed the file."""

    def __init__(self, name: str):
        self.name, self.seen = name, -1
        self.hours, self.celsius = [0.0], [12.0]

    def refresh(self) -> None:
        changed = os.stat(self.name).st_mtime_ns
        if changed == self.seen:
            return
        self.seen = changed
        with open(self.name) as lines:
            rows = [line.split() for line in lines if not line.startswith("#")]
        self.hours = [float(row[0]) for row in rows]
        self.celsius = [float(row[1]) for row in rows]

    def at(self, hour: float) -> float:
        return float(np.interp(hour, self.hours, self.celsius))


class Tank:
    def __init__(self, wort: dict[str, float]):
        self.celsius = np.full(LAYERS, 11.0)
        self.sugar = np.full(LAYERS, wort["sugar"])
        self.yeast = np.linspace(1.3, 0.7, LAYERS) * wort["yeast"]
        self.nitrogen = np.full(LAYERS, wort["nitrogen"])
        self.ethanol = np.zeros(LAYERS)
        self.jacket = np.zeros(LAYERS)
        self.jacket[LAYERS // 5:LAYERS // 3] = 1
        self.jacket[LAYERS // 2:2 * LAYERS // 3] = 1

    def step(self, hours: float, cooling: float) -> None:
        speed = np.exp(ARRHENIUS * (1 / 285.15 - 1 / (self.celsius + 273.15)))
        uptake = speed * self.yeast * self.sugar / (self.sugar + 40) / (1 + self.ethanol / 60)
        growth = 0.055 * uptake * self.nitrogen / (self.nitrogen + 0.08)
        settle = 0.012 * np.exp(-uptake) * self.yeast
        self.sugar = np.maximum(self.sugar - 1.9 * uptake * hours, 0)
        self.ethanol += 0.49 * 1.9 * uptake * hours
        self.nitrogen = np.maximum(self.nitrogen - 0.03 * growth * hours, 0)
        self.yeast += hours * (growth - settle)
        self.celsius += hours * (0.26 * uptake - 0.9 * cooling * self.jacket)
        for field in (self.celsius, self.sugar, self.ethanol, self.yeast):
            flux = np.diff(field) * min(0.24, CONDUCTION * hours)
            field[:-1] += flux
            field[1:] -= flux


class Controller:
    """Proportional and integral action on the valves of the jackets."""

    def __init__(self, gain: float, reset: float):
        self.gain, self.reset, self.error = gain, reset, 0.0

    def valve(self, celsius: float, wanted: float) -> float:
        off = celsius - wanted
        self.error = min(max(self.error + off * INTERVAL, 0), 3)
        return min(max(self.gain * off + self.error / self.reset, 0), 1)


def note(hour: float, tank: Tank, wanted: float, valve: float) -> None:
    with open("tank.log", "a") as log:
        log.write(f"{hour:8.3f} {tank.celsius.mean():7.3f} {wanted:6.2f} {valve:6.3f} "
                  f"{tank.sugar.mean():8.3f} {tank.ethanol.mean():7.3f} {tank.yeast.mean():7.4f}\n")


def main() -> None:
    tank = Tank(read_wort(sys.argv[1]))
    points = SetPoints(sys.argv[2])
    controller = Controller(0.6, 4.0)
    for interval in range(int(float(sys.argv[3]) / INTERVAL)):
        hour = interval * INTERVAL
        points.refresh()
        wanted = points.at(hour)
        valve = controller.valve(float(tank.celsius.mean()), wanted)
        for _ in range(SUBSTEPS):
            tank.step(INTERVAL / SUBSTEPS, valve)
        note(hour, tank, wanted, valve)
    print(f"extract {tank.sugar.mean():.2f} g/l, alcohol {tank.ethanol.mean():.2f} g/l")


if __name__ == "__main__":
    main()
