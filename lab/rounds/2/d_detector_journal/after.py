"""Slow-control of a detector: read out the crates, compute calibrated values
and keep a run journal that the shift crew can replay."""
import json
import math
import os
import random
import sys

CRATES = ("hv", "lv", "gas", "cooling")


class Crate:
    def __init__(self, name, seed):
        self.name = name
        self.rng = random.Random(seed)
        self.value = 20.0 + 5.0 * seed
        self.target = self.value + 3.0

    def read(self, tick):
        drift = 0.05 * (self.target - self.value)
        self.value += drift + self.rng.gauss(0.0, 0.05)
        if tick % 50 == 0:
            self.target += self.rng.choice((-1.5, 1.5))
        return self.value


def calibrate(raw):
    return raw * (1.0 + 1e-4 * raw) + 0.02 * math.sin(raw)


class Journal:
    def __init__(self, path):
        self.stream = open(path, "w")
        self.entries = 0

    def record(self, tick, values, alarms):
        entry = {"tick": tick, "values": values, "alarms": alarms}
        self.stream.write(json.dumps(entry, sort_keys=True) + "\n")
        self.entries += 1

    def close(self):
        self.stream.flush()
        os.fsync(self.stream.fileno())
        self.stream.close()


def find_alarms(values, history, limit=0.35):
    alarms = []
    for name, value in values.items():
        past = history[name][-20:]
        if past:
            mean = sum(past) / len(past)
            if abs(value - mean) > limit:
                alarms.append(name)
        history[name].append(value)
    return alarms


def run(ticks):
    crates = [Crate(name, k + 1) for k, name in enumerate(CRATES)]
    history = {name: [] for name in CRATES}
    journal = Journal("run_journal.jsonl")
    n_alarms = 0
    for tick in range(ticks):
        values = {c.name: round(calibrate(c.read(tick)), 4) for c in crates}
        alarms = find_alarms(values, history)
        n_alarms += len(alarms)
        journal.record(tick, values, alarms)
    journal.close()
    return journal.entries, n_alarms


if __name__ == "__main__":
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    entries, alarms = run(n)
    print(f"{entries} journal entries, {alarms} alarms")
