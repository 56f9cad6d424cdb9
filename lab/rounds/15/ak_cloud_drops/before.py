"""Warm rain: collision and coalescence of cloud drops (super-droplet method)."""
import os
import pickle
import sys

import numpy as np

STEPS = int(sys.argv[1]) if len(sys.argv) > 1 else 600
DROPS = 1 << 15
VOLUME = 1.0e6                  # m^3
DT = 1.0                        # s
CHECKPOINT = 200                # steps


class Cloud:
    def __init__(self, seed=3):
        self.rng = np.random.default_rng(seed)
        self.number = np.full(DROPS, 1.0e8 * VOLUME / DROPS)
        x0 = 4.0 / 3.0 * np.pi * (10.0e-6) ** 3
        self.volume = self.rng.exponential(x0 * 8.0, DROPS)

    def radius(self):
        return np.cbrt(self.volume * 0.75 / np.pi)

    @staticmethod
    def fall_speed(r):
        return np.where(r < 4e-5, 1.19e8 * r**2, np.where(r < 6e-4, 8.0e3 * r, 2.2e2 * np.sqrt(r)))

    def collide(self):
        """One linear-sampling coalescence step over random pairs."""
        order = self.rng.permutation(DROPS)
        a, b = order[: DROPS // 2], order[DROPS // 2:]
        r, v = self.radius(), None
        v = self.fall_speed(r)
        ra, rb = r[a], r[b]
        small = np.minimum(ra, rb) / np.maximum(ra, rb)
        efficiency = np.clip(0.5 * small + 4.0e3 * np.maximum(ra, rb), 0.0, 1.0)
        kernel = efficiency * np.pi * (ra + rb) ** 2 * np.abs(v[a] - v[b])
        many = np.maximum(self.number[a], self.number[b])
        p = kernel * many * DT / VOLUME * (DROPS - 1)
        hit = self.rng.random(p.size) < p
        rich = np.where(self.number[a] >= self.number[b], a, b)[hit]
        poor = np.where(self.number[a] >= self.number[b], b, a)[hit]
        keep = self.number[rich] - self.number[poor]
        split = keep <= 0
        self.volume[poor] += self.volume[rich]
        self.number[rich] = np.where(split, self.number[poor] / 2, keep)
        self.number[poor] = np.where(split, self.number[poor] / 2, self.number[poor])
        self.volume[rich] = np.where(split, self.volume[poor], self.volume[rich])
        return int(hit.sum())

    def rain_fraction(self):
        mass = self.number * self.volume
        return float(mass[self.radius() > 4.0e-5].sum() / mass.sum())


def checkpoint(cloud, step):
    with open("cloud.tmp", "wb") as f:
        pickle.dump((step, cloud.number, cloud.volume), f, protocol=4)
        f.flush()
        os.fsync(f.fileno())
    os.replace("cloud.tmp", "cloud.ckpt")


def main():
    cloud = Cloud()
    with open("rain.log", "w") as log:
        for step in range(1, STEPS + 1):
            hits = cloud.collide()
            if step % 20 == 0:
                log.write(f"{step * DT:8.1f} {hits:6d} {cloud.rain_fraction():.5f}\n")
                log.flush()
            if step % CHECKPOINT == 0:
                checkpoint(cloud, step)
    print(f"rain water fraction {cloud.rain_fraction():.4f}")


if __name__ == "__main__":
    main()
