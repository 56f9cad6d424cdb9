"""Simulated annealing of a one-dimensional spin glass.

The operator may change the cooling rate in control.json while the run is going on
or put a file named stop into the working directory.
"""
import json
import math
import os
import random
import sys


class Control:
    def __init__(self, path):
        self.path = path
        self.stamp = None
        self.cooling = 1.0

    def write_default(self, cooling):
        with open(self.path, "w") as f:
            json.dump({"cooling": cooling}, f)

    def refresh(self):
        stamp = os.stat(self.path).st_mtime_ns
        if stamp != self.stamp:
            with open(self.path) as f:
                self.cooling = json.load(f)["cooling"]
            self.stamp = stamp

    def stop_requested(self):
        return os.path.exists("stop")


def make_couplings(n, rng):
    return [rng.gauss(0.0, 1.0) for _ in range(n)]


def total_energy(spin, coupling):
    n = len(spin)
    return -sum(coupling[i] * spin[i] * spin[(i + 1) % n] for i in range(n))


def anneal(spin, coupling, control, moves, rng):
    n = len(spin)
    temperature = 3.0
    accepted = 0
    for move in range(moves):
        if move % 5000 == 0:
            control.refresh()
            if control.stop_requested():
                break
        i = rng.randrange(n)
        field = coupling[i - 1] * spin[i - 1] + coupling[i] * spin[(i + 1) % n]
        delta = 2.0 * spin[i] * field
        if delta <= 0.0 or rng.random() < math.exp(-delta / temperature):
            spin[i] = -spin[i]
            accepted += 1
        temperature *= control.cooling
        if temperature < 0.02:
            temperature = 0.02
    return accepted


def main():
    moves = int(sys.argv[1]) if len(sys.argv) > 1 else 220000
    rng = random.Random(17)
    n = 4000
    coupling = make_couplings(n, rng)
    spin = [rng.choice((-1, 1)) for _ in range(n)]
    control = Control("control.json")
    control.write_default(0.99997)
    accepted = anneal(spin, coupling, control, moves, rng)
    with open("ground_state.json", "w") as f:
        json.dump(spin, f)
    print(f"moves {moves} accepted {accepted} energy {total_energy(spin, coupling):.6f}")


if __name__ == "__main__":
    main()
