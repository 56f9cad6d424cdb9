"""Monte-Carlo study of a parallel-jaw gripper.

How often does a grasp of an elliptic part hold, as a function of the error of
the camera pose?  Every trial is a card on the trial board of the lab
(queue -> running -> check -> done), so that one can see how far a campaign is.
"""
import math
import os
import random
import sys

N_TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 12000
SIGMAS_MM = (0.5, 1.0, 2.0, 3.5)      # camera error (1 sigma)
AXIS_A, AXIS_B = 18.0, 11.0           # half axes of the part, mm
MU_MEAN, MU_SD = 0.42, 0.07           # rubber on anodised aluminium
CLOSING_STEPS = 60


class Board:
    """Trial board: a card for each trial (a link to its camera error), one column for each state."""

    COLUMNS = ("queue", "running", "check", "done")

    def __init__(self, root):
        self.root = root
        for column in self.COLUMNS:
            os.makedirs(os.path.join(root, column), exist_ok=True)

    def card(self, column, name):
        return os.path.join(self.root, column, name)

    def add(self, name, sigma):
        os.symlink("sigma_%.1f" % sigma, self.card("queue", name))

    def move(self, name, old, new):
        os.rename(self.card(old, name), self.card(new, name))

    def summary(self, path):
        """How many cards are in each column at the end; then clear the board."""
        with open(path, "w") as out:
            for column in self.COLUMNS:
                cards = sorted(os.listdir(os.path.join(self.root, column)))
                out.write("%s %d\n" % (column, len(cards)))
                for name in cards:
                    os.unlink(self.card(column, name))


def contact_normal(offset):
    """Direction of the surface normal where a jaw at this offset meets the part."""
    t = max(-0.999, min(0.999, offset / AXIS_B))
    phi = math.asin(t)
    return math.atan2(math.sin(phi) / AXIS_B, math.cos(phi) / AXIS_A)


def close_gripper(dx, tilt, mu):
    """Closes the jaws step by step; the part may turn into place or slip away."""
    for step in range(CLOSING_STEPS):
        left = contact_normal(dx + AXIS_B * 0.3 * math.sin(tilt))
        right = contact_normal(dx - AXIS_B * 0.3 * math.sin(tilt))
        cone = math.atan(mu)
        if abs(left) > 2.2 * cone or abs(right) > 2.2 * cone:
            return False
        # friction lets the part turn a little towards the jaws
        tilt -= 0.05 * tilt * (1.0 - 0.5 * mu)
        dx -= 0.01 * dx
    return abs(left) < cone and abs(right) < cone


def run_trial(rng, sigma):
    dx = rng.gauss(0.0, sigma)
    tilt = rng.gauss(0.0, 0.08 * sigma)
    mu = max(0.05, rng.gauss(MU_MEAN, MU_SD))
    return close_gripper(dx, tilt, mu)


def main():
    rng = random.Random(20240)
    board = Board("board")
    held = {s: 0 for s in SIGMAS_MM}
    names = ["trial_%06d" % i for i in range(N_TRIALS)]
    for i, name in enumerate(names):
        board.add(name, SIGMAS_MM[i % len(SIGMAS_MM)])
    for i, name in enumerate(names):
        sigma = SIGMAS_MM[i % len(SIGMAS_MM)]
        board.move(name, "queue", "running")
        held[sigma] += run_trial(rng, sigma)
        board.move(name, "running", "check")
        board.move(name, "check", "done")
    board.summary("board.txt")
    per_sigma = N_TRIALS // len(SIGMAS_MM)
    for sigma in SIGMAS_MM:
        p = held[sigma] / per_sigma
        err = math.sqrt(p * (1 - p) / per_sigma)
        print("sigma %.1f mm: success %.4f +- %.4f" % (sigma, p, err))


if __name__ == "__main__":
    main()
