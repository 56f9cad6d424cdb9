"""Integrate a small reaction network; rate laws live in the mechanism package."""
import importlib
import os
import pkgutil
import sys

import numpy as np

sys.path.insert(0, os.getcwd())
import mechanism


def read_input(path):
    temperature = 300.0
    reactions = []
    with open(path) as f:
        for line in f:
            key, value = line.split()
            if key == "temperature":
                temperature = float(value)
            elif key == "reaction":
                reactions.append(value)
    return temperature, reactions


class RateRegistry:
    """Maps family.reaction to its rate law."""

    def __init__(self):
        self.laws = {}

    def collect(self, package):
        for family in pkgutil.iter_modules(package.__path__):
            pkg = importlib.import_module(package.__name__ + "." + family.name)
            for entry in pkgutil.iter_modules(pkg.__path__):
                law = importlib.import_module(pkg.__name__ + "." + entry.name)
                self.laws[family.name + "." + entry.name] = law

    def constant(self, key, temperature):
        return self.laws[key].rate(temperature)


def integrate(k, steps, dt):
    n = len(k) + 1
    y = np.zeros(n)
    y[0] = 1.0
    for _ in range(steps):
        flow = k * y[:-1]
        y[:-1] -= dt * flow
        y[1:] += dt * flow
    return y


def main():
    steps = int(sys.argv[1])
    temperature, reactions = read_input("flame.inp")
    registry = RateRegistry()
    registry.collect(mechanism)
    k = np.array([registry.constant(r, temperature) for r in reactions])
    y = integrate(k, steps, 1e-3)
    with open("species.txt", "w") as out:
        for i, v in enumerate(y):
            out.write("%d %.10e\n" % (i, v))
    print("reactions %d  total %.8f" % (len(reactions), y.sum()))


if __name__ == "__main__":
    main()
