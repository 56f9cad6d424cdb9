"""Metropolis sampling of the parameters of an SEIR epidemic, with restart files.

usage: seir_mcmc.py samples days
"""
import json
import math
import os
import random
import sys
import tempfile

POPULATION = 25000.0
TRUE = dict(beta=0.42, sigma=0.22, gamma=0.16, seeds=12.0)
WIDTH = dict(beta=0.0006, sigma=0.0007, gamma=0.0005, seeds=0.08)
NAMES = list(TRUE)


def cases_per_day(p, days, per_day=4):
    s, e, i = POPULATION - p["seeds"], 0.0, p["seeds"]
    dt = 1.0 / per_day
    daily = []
    for _ in range(days):
        new = 0.0
        for _ in range(per_day):
            infection = p["beta"] * s * i / POPULATION * dt
            onset = p["sigma"] * e * dt
            s -= infection
            e += infection - onset
            i += onset - p["gamma"] * i * dt
            new += onset
        daily.append(new)
    return daily


def observe(rng, days):
    return [max(0, round(rng.gauss(c, math.sqrt(c + 1)))) for c in cases_per_day(TRUE, days)]


def log_posterior(p, data):
    if min(p.values()) <= 0:
        return -math.inf
    total = -0.5 * ((p["gamma"] - 0.15) / 0.05) ** 2
    for c, d in zip(cases_per_day(p, len(data)), data):
        total += d * math.log(c + 1e-9) - c
    return total


def save_restart(step, p, logp, accepted):
    """Complete or not at all: written beside, then moved over the old one."""
    fd, name = tempfile.mkstemp(dir=".", prefix="restart_")
    with os.fdopen(fd, "w") as f:
        json.dump(dict(step=step, parameters=p, logp=logp, accepted=accepted), f)
        f.flush()
        os.fsync(f.fileno())
    os.replace(name, "restart.json")


def main():
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    days = int(sys.argv[2]) if len(sys.argv) > 2 else 120
    rng = random.Random(1918)
    data = observe(rng, days)
    p = dict(TRUE)
    logp = log_posterior(p, data)
    accepted = 0
    sums = dict.fromkeys(NAMES, 0.0)
    with open("chain.txt", "w") as chain:
        chain.write("# step %s logp\n" % " ".join(NAMES))
        for step in range(1, samples + 1):
            trial = {k: rng.gauss(v, WIDTH[k]) for k, v in p.items()}
            trial_logp = log_posterior(trial, data)
            if math.log(rng.random() + 1e-300) < trial_logp - logp:
                p, logp = trial, trial_logp
                accepted += 1
            for k in NAMES:
                sums[k] += p[k]
            chain.write("%d %s %.3f\n" % (step, " ".join("%.6f" % p[k] for k in NAMES), logp))
            if step % (samples // 8) == 0:
                save_restart(step, p, logp, accepted)
    print("accepted %.3f" % (accepted / samples))
    for k in NAMES:
        print("%-6s %.5f" % (k, sums[k] / samples))


if __name__ == "__main__":
    main()
