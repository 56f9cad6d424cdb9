"""Simulated annealing of a job-shop style tour with restartable state."""
import json
import math
import os
import random
import sys


def make_cities(n, rng):
    return [(rng.random(), rng.random()) for _ in range(n)]


def distance(a, b):
    return math.hypot(a[0] - b[0], a[1] - b[1])


def tour_length(cities, tour):
    return sum(distance(cities[tour[k]], cities[tour[k - 1]]) for k in range(len(tour)))


def save_state(path, tour, temperature, best):
    scratch = path + ".tmp"
    with open(scratch, "w") as out:
        json.dump({"tour": tour, "temperature": temperature, "best": best}, out)
        out.flush()
        os.fsync(out.fileno())
    os.replace(scratch, path)


def log_progress(path, sweep, temperature, length):
    with open(path, "a") as out:
        out.write(f"{sweep:6d} {temperature:.6f} {length:.6f}\n")


def anneal_sweep(cities, tour, temperature, rng):
    n = len(tour)
    delta_sum = 0.0
    for _ in range(20 * n):
        i = rng.randrange(1, n - 2)
        j = rng.randrange(i + 1, n - 1)
        a, b = cities[tour[i - 1]], cities[tour[i]]
        c, d = cities[tour[j]], cities[tour[j + 1]]
        delta = distance(a, c) + distance(b, d) - distance(a, b) - distance(c, d)
        if delta < 0.0 or rng.random() < math.exp(-delta / temperature):
            tour[i:j + 1] = tour[i:j + 1][::-1]
            delta_sum += delta
    return delta_sum


def main(sweeps):
    rng = random.Random(8)
    cities = make_cities(300, rng)
    tour = list(range(len(cities)))
    length = best = tour_length(cities, tour)
    temperature = 0.3
    for sweep in range(sweeps):
        length += anneal_sweep(cities, tour, temperature, rng)
        best = min(best, length)
        temperature *= 0.93
        if sweep % 10 == 9:
            log_progress("anneal.log", sweep, temperature, length)
        if sweep % 50 == 49:
            save_state("anneal_state.json", tour, temperature, best)
    print(f"best tour {best:.6f} after {sweeps} sweeps")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
