"""Wind statistics at a mast from the fields of a weather model:
time series in the box around the mast, Weibull fit, energy yield of a turbine
with bootstrap errors."""
import sys

import netCDF4
import numpy as np

MAST = (112, 207)            # grid point of the mast
HALF = 2                     # half width of the box
CUT_IN, RATED, CUT_OUT = 3.0, 12.0, 25.0      # m/s
POWER = 3.0                  # MW


def wind_at_mast(part):
    """Hourly wind speeds in the box around the mast."""
    i, j = MAST
    with netCDF4.Dataset(f"model/wind_{part:03d}.nc") as model:
        box = model["wind"][:, i - HALF:i + HALF + 1, j - HALF:j + HALF + 1]
    return np.asarray(box, dtype=float)


def weibull_fit(v, iterations=30):
    """Maximum-likelihood shape and scale."""
    v = np.clip(v, 0.05, None)
    logs = np.log(v)
    k = 2.0
    for _ in range(iterations):
        p = v ** k
        k = 0.5 * (k + 1.0 / ((p * logs).sum() / p.sum() - logs.mean()))
    return k, (v ** k).mean() ** (1.0 / k)


def turbine_power(v):
    ramp = POWER * (v ** 3 - CUT_IN ** 3) / (RATED ** 3 - CUT_IN ** 3)
    p = np.where(v < CUT_IN, 0.0, np.where(v < RATED, ramp, POWER))
    return np.where(v > CUT_OUT, 0.0, p)


def bootstrap(v, samples, rng):
    yields = np.empty(samples)
    shapes = np.empty(samples)
    for s in range(samples):
        pick = v[rng.integers(0, v.size, v.size)]
        yields[s] = turbine_power(pick).mean()
        shapes[s] = weibull_fit(pick, 8)[0]
    return yields, shapes


def main(parts, samples):
    rng = np.random.default_rng(3)
    boxes = np.concatenate([wind_at_mast(p) for p in range(parts)])
    v = boxes[:, HALF, HALF]
    k, scale = weibull_fit(v)
    yields, shapes = bootstrap(v, samples, rng)
    with open("mast.txt", "w") as out:
        for h, b in enumerate(boxes):
            out.write(f"{h:4d} {b.mean():8.3f} {b.std():8.3f}\n")
    print(f"{len(boxes)} hours: Weibull k {k:.3f} +- {shapes.std():.3f}, scale {scale:.3f} m/s, "
          f"power {yields.mean():.4f} +- {yields.std():.4f} MW")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
