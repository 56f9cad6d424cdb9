"""Calibration of a phenology model of the grapevine with a genetic search.

usage: vine.py climate.npz stages.npy generations population workers

The model sums chilling until the buds leave dormancy, then forcing by a sigmoid of the
hourly temperature until budburst, flowering and veraison. The fitness of a set of
parameters is the root mean square error against the dates noted in the vineyards. The
candidates of a generation go to a pool of workers; the driver selects and mutates.
"""
import multiprocessing
import sys

import numpy as np

BOUNDS = np.array([[0.0, 12.0],      # optimum of chilling, Celsius
                   [40.0, 110.0],    # chilling days needed
                   [5.0, 20.0],      # half point of forcing, Celsius
                   [-0.5, -0.1],     # slope of forcing
                   [8.0, 50.0],      # forcing units until budburst
                   [15.0, 60.0],     # until flowering
                   [20.0, 80.0]])    # until veraison

climate: dict[str, np.ndarray] = {}


def load(climate_name: str, stages_name: str) -> None:
    """What each worker needs, read when it starts."""
    with np.load(climate_name) as held:
        low, high = held["low"], held["high"]
    hours = 0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(0, 24, 4) - 3) / 24)
    climate["hourly"] = low[..., None] + (high - low)[..., None] * hours.astype(np.float32)
    climate["stages"] = np.load(stages_name)


def first_day(total: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """The day on which a running sum over days reaches its limit."""
    reached = total >= limit[..., None]
    return np.where(reached.any(axis=-1), reached.argmax(axis=-1), total.shape[-1])


def fitness(candidate: tuple[int, list[float]]) -> tuple[int, float, list[float]]:
    number, values = candidate
    optimum, chill, half, slope, *needs = values
    hourly = climate["hourly"]
    chilling = np.exp(-((hourly - np.float32(optimum)) / 6) ** 2).mean(axis=-1).cumsum(axis=-1)
    release = first_day(chilling, np.full(chilling.shape[:2], chill * 0.35))
    forcing = (1 / (1 + np.exp(np.float32(slope) * (hourly - np.float32(half))))).mean(axis=-1)
    days = np.arange(forcing.shape[-1])
    forcing *= days >= release[..., None]
    total = forcing.cumsum(axis=-1)
    errors = []
    limit = np.zeros(release.shape)
    for stage, need in enumerate(needs):
        limit = limit + need
        off = first_day(total, limit) - climate["stages"][stage]
        errors.append(float(np.sqrt((off ** 2).mean())))
    return number, sum(errors) / len(errors), errors


def breed(rng: np.random.Generator, ranked: np.ndarray, population: int) -> np.ndarray:
    """The better quarter stays; the others are crossed from it and mutated."""
    elite = ranked[:population // 4]
    mothers = elite[rng.integers(0, len(elite), population - len(elite))]
    fathers = elite[rng.integers(0, len(elite), population - len(elite))]
    mix = rng.uniform(0, 1, mothers.shape)
    young = mix * mothers + (1 - mix) * fathers
    young += rng.normal(0, 0.04, young.shape) * (BOUNDS[:, 1] - BOUNDS[:, 0])
    return np.concatenate([elite, np.clip(young, BOUNDS[:, 0], BOUNDS[:, 1])])


def main() -> None:
    climate_name, stages_name = sys.argv[1], sys.argv[2]
    generations, population, workers = map(int, sys.argv[3:6])
    rng = np.random.default_rng(8)
    candidates = rng.uniform(BOUNDS[:, 0], BOUNDS[:, 1], (population, len(BOUNDS)))
    with (multiprocessing.get_context("fork").Pool(workers, load, (climate_name, stages_name)) as pool,
          open("generations.csv", "w") as out):
        out.write("generation,candidate,error,budburst,flowering,veraison\n")
        for generation in range(generations):
            errors = np.empty(population)
            tasks = list(enumerate(candidates.tolist()))
            for number, error, parts in pool.imap_unordered(fitness, tasks):
                errors[number] = error
                out.write(f"{generation},{number},{error:.4f},{','.join(f'{p:.3f}' for p in parts)}\n")
            out.flush()
            order = errors.argsort()
            print(f"generation {generation}: error {errors[order[0]]:.3f} days")
            candidates = breed(rng, candidates[order], population)
    np.save("best.npy", candidates[0])


if __name__ == "__main__":
    main()
