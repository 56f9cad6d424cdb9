"""Stochastic growth model, solved by value iteration on a grid.

For each of a list of discount factors the value function is iterated until it
stands; progress and the policy are kept after every round, since the queue of
the department kills jobs without a word.
"""
import math
import os
import sys

import numpy as np

BETAS = [0.90 + 0.01 * k for k in range(int(sys.argv[1]) if len(sys.argv) > 1 else 9)]
ALPHA, DELTA, GAMMA = 0.36, 0.08, 2.0
SHOCKS = np.array([0.92, 1.0, 1.08])
CHANCE = np.array([[0.8, 0.15, 0.05], [0.1, 0.8, 0.1], [0.05, 0.15, 0.8]])
N_K = 360


def log_line(text):
    with open("progress.log", "a") as log:
        log.write(text + "\n")


def save_policy(beta, grid, policy):
    name = "policy_%.2f.npy" % beta
    with open(name + ".tmp", "wb") as f:
        np.save(f, np.vstack([grid, policy]))
        f.flush()
        os.fsync(f.fileno())
    os.rename(name + ".tmp", name)


def utility_table(grid):
    """u[z, k, k'] with minus infinity where consumption would be negative"""
    output = SHOCKS[:, None] * grid[None, :] ** ALPHA + (1 - DELTA) * grid[None, :]
    c = output[:, :, None] - grid[None, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(c > 1e-8, np.maximum(c, 1e-8) ** (1 - GAMMA) / (1 - GAMMA), -1e12)


def solve(beta, grid, table):
    value = np.zeros((len(SHOCKS), N_K))
    for sweep in range(1000):
        expected = CHANCE @ value
        total = table + beta * expected[:, None, :]
        choice = total.argmax(axis=2)
        new = np.take_along_axis(total, choice[:, :, None], axis=2)[:, :, 0]
        gap = np.abs(new - value).max()
        value = new
        if sweep % 50 == 0:
            log_line("beta %.2f sweep %d gap %.3e" % (beta, sweep, gap))
        if gap < 1e-6 * (1 - beta):
            break
    return grid[choice], sweep, gap


def simulate(grid, policy, periods=4000):
    rng = np.random.default_rng(8)
    k, z, path = grid[N_K // 2], 1, []
    for _ in range(periods):
        k = float(np.interp(k, grid, policy[z]))
        z = int(rng.choice(3, p=CHANCE[z]))
        path.append(k)
    return np.mean(path), np.std(path)


def main():
    grid = np.exp(np.linspace(math.log(0.2), math.log(12.0), N_K))
    table = utility_table(grid)
    for beta in BETAS:
        policy, sweeps, gap = solve(beta, grid, table)
        save_policy(beta, grid, policy)
        mean, sd = simulate(grid, policy)
        log_line("beta %.2f done after %d sweeps" % (beta, sweeps))
        print("beta %.2f  sweeps %4d  capital %.4f +- %.4f" % (beta, sweeps, mean, sd))


if __name__ == "__main__":
    main()
