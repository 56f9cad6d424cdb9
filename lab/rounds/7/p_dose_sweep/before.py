"""Sweep over dose regimes of a two-compartment drug model.  Finished regimes
are kept as small JSON results, so an interrupted sweep can be continued."""
import json
import os
import sys

import numpy as np

RESULTS = "results"


def regimes(count):
    for k in range(count):
        yield {
            "name": f"regime_{k:04d}",
            "dose": 50.0 + 10.0 * (k % 12),
            "interval": (6.0, 8.0, 12.0, 24.0)[k % 4],
            "absorption": 0.4 + 0.05 * (k % 7),
        }


def simulate(regime, patients=1500, hours=96.0, dt=0.05):
    rng = np.random.default_rng(int(regime["name"][-4:]))
    clearance = rng.lognormal(np.log(5.0), 0.3, size=patients)
    volume = rng.lognormal(np.log(40.0), 0.2, size=patients)
    out = clearance / volume
    k12, k21 = 0.12, 0.08
    gut = np.zeros(patients)
    central = np.zeros(patients)
    tissue = np.zeros(patients)
    peak = np.zeros(patients)
    area = np.zeros(patients)
    next_dose = 0.0
    for step in range(int(hours / dt)):
        time = step * dt
        if time >= next_dose:
            gut += regime["dose"]
            next_dose += regime["interval"]
        absorbed = regime["absorption"] * gut
        exchange = k12 * central - k21 * tissue
        gut -= dt * absorbed
        central += dt * (absorbed - out * central - exchange)
        tissue += dt * exchange
        level = central / volume
        np.maximum(peak, level, out=peak)
        area += dt * level
    return {
        "peak": float(peak.mean()),
        "peak95": float(np.quantile(peak, 0.95)),
        "area": float(area.mean()),
        "above": float((peak > 2.0).mean()),
    }


def result_path(regime):
    return os.path.join(RESULTS, regime["name"] + ".json")


def keep(regime, outcome):
    final = result_path(regime)
    with open(final + ".part", "w") as out:
        json.dump({**regime, **outcome}, out, indent=1)
    os.replace(final + ".part", final)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    os.makedirs(RESULTS, exist_ok=True)
    todo = [r for r in regimes(count) if not os.path.exists(result_path(r))]
    for regime in todo:
        keep(regime, simulate(regime))

    collected = []
    for name in sorted(os.listdir(RESULTS)):
        if name.endswith(".json"):
            with open(os.path.join(RESULTS, name)) as f:
                collected.append(json.load(f))
    best = max(collected, key=lambda r: r["area"] * (1.0 - r["above"]))
    print(f"{len(collected)} regimes, best {best['name']} with area {best['area']:.4f}")


if __name__ == "__main__":
    main()
