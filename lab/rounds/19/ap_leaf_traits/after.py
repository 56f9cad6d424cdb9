#!/usr/bin/env python3
"""Fine-tune a specific-leaf-area regressor with a small trainer class.

The trainer follows the popular callback layout: a state object with the whole
log history, saved beside the run so that dashboards can pick it up.
"""
import json
import os
import sys
from dataclasses import asdict, dataclass, field

import numpy as np


@dataclass
class TrainerState:
    global_step: int = 0
    epoch: float = 0.0
    best_metric: float = 1e9
    log_history: list = field(default_factory=list)

    def save(self, path):
        with open(path, "w", encoding="utf-8") as f:
            json.dump(asdict(self), f, indent=2, sort_keys=True)
            f.write("\n")


class Callback:
    def on_step(self, trainer, logs):
        pass

    def on_end(self, trainer):
        pass


class StateSaver(Callback):
    """Keeps trainer_state.json current."""

    def __init__(self, outdir):
        self.path = os.path.join(outdir, "trainer_state.json")

    def on_step(self, trainer, logs):
        trainer.state.log_history.append(dict(logs, step=trainer.state.global_step))
        if trainer.state.global_step % 200 == 0:
            trainer.state.save(self.path)

    def on_end(self, trainer):
        trainer.state.save(self.path)


class BestModel(Callback):
    def __init__(self, outdir):
        self.path = os.path.join(outdir, "best.npy")

    def on_step(self, trainer, logs):
        if trainer.state.global_step % 100 == 0 and logs["loss"] < trainer.state.best_metric:
            trainer.state.best_metric = logs["loss"]
            np.save(self.path, trainer.w)


class Trainer:
    def __init__(self, x, y, lr, batch, callbacks):
        self.x, self.y, self.lr, self.batch = x, y, lr, batch
        self.w = np.zeros(x.shape[1])
        self.state = TrainerState()
        self.callbacks = callbacks

    def train(self, steps):
        rng = np.random.default_rng(9)
        n = len(self.x)
        for _ in range(steps):
            idx = rng.integers(0, n, self.batch)
            xb, yb = self.x[idx], self.y[idx]
            err = xb @ self.w - yb
            grad = xb.T @ err / self.batch
            self.w -= self.lr * grad
            s = self.state
            s.global_step += 1
            s.epoch = s.global_step * self.batch / n
            logs = {"loss": round(float((err ** 2).mean()), 6),
                    "grad_norm": round(float(np.linalg.norm(grad)), 6),
                    "learning_rate": self.lr, "epoch": round(s.epoch, 4)}
            for cb in self.callbacks:
                cb.on_step(self, logs)
        for cb in self.callbacks:
            cb.on_end(self)


def main():
    steps, outdir = int(sys.argv[1]), sys.argv[2]
    os.makedirs(outdir, exist_ok=True)
    z = np.load("leaf.npz")
    tr = Trainer(z["x"], z["y"], 0.01, 64, [StateSaver(outdir), BestModel(outdir)])
    tr.train(steps)
    with open(os.path.join(outdir, "trainer_state.json")) as f:
        st = json.load(f)
    print("steps %d last %.6f mean %.6f w %.6f" % (
        st["global_step"], st["log_history"][-1]["loss"],
        sum(h["loss"] for h in st["log_history"]) / len(st["log_history"]), tr.w.sum()))


if __name__ == "__main__":
    main()
