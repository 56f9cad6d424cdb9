"""Single-spin Metropolis sampling of the 2-D Ising model, steered by files.

A running job may be told to stop, to save, or to change its temperature by
files in the control folder.

usage: before.py SWEEPS
"""
import json
import math
import os
import random
import sys

SIDE = 24
CONTROL = "control"


class Controller:
    def __init__(self, folder):
        self.folder = folder
        self.stop_file = os.path.join(folder, "STOP")
        self.save_file = os.path.join(folder, "SAVE")
        self.settings_file = os.path.join(folder, "settings.json")
        self.settings_time = 0.0
        self.temperature = 2.3

    def stop_requested(self):
        return os.path.exists(self.stop_file)

    def save_requested(self):
        return os.path.exists(self.save_file)

    def refresh(self):
        changed = os.stat(self.settings_file).st_mtime
        if changed != self.settings_time:
            self.settings_time = changed
            with open(self.settings_file) as source:
                self.temperature = json.load(source)["temperature"]
        return self.temperature


def write_settings(folder, temperature):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "settings.json"), "w") as out:
        json.dump({"temperature": temperature}, out)


def save_spins(spins, name):
    with open(name, "w") as out:
        for row in spins:
            out.write("".join("+" if s > 0 else "-" for s in row) + "\n")


def neighbour_sum(spins, i, j):
    return (spins[(i + 1) % SIDE][j] + spins[i - 1][j]
            + spins[i][(j + 1) % SIDE] + spins[i][j - 1])


def attempt_flip(spins, temperature, rng):
    i = int(rng.random() * SIDE)
    j = int(rng.random() * SIDE)
    cost = 2 * spins[i][j] * neighbour_sum(spins, i, j)
    if cost <= 0 or rng.random() < math.exp(-cost / temperature):
        spins[i][j] = -spins[i][j]
        return 2 * spins[i][j]
    return 0


def sample(sweeps, controller):
    rng = random.Random(17)
    spins = [[1] * SIDE for _ in range(SIDE)]
    total = SIDE * SIDE
    trace = []
    for sweep in range(sweeps):
        for _ in range(SIDE * SIDE):
            temperature = controller.refresh()
            total += attempt_flip(spins, temperature, rng)
            if controller.save_requested():
                save_spins(spins, "spins_requested.txt")
            if controller.stop_requested():
                return spins, trace
        trace.append(total / (SIDE * SIDE))
    return spins, trace


def main():
    sweeps = int(sys.argv[1])
    write_settings(CONTROL, 2.35)
    controller = Controller(CONTROL)
    spins, trace = sample(sweeps, controller)
    save_spins(spins, "spins_final.txt")
    with open("magnetisation.json", "w") as out:
        json.dump(trace, out)
    tail = trace[len(trace) // 2:]
    print(f"{len(trace)} sweeps, <|m|> = {sum(map(abs, tail)) / len(tail):.4f}")


if __name__ == "__main__":
    main()
