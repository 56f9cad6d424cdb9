"""Trains a small residual network on a regression task and saves checkpoints.

usage: before.py STEPS SAVE_EVERY
"""
import json
import sys
from pathlib import Path

import numpy as np

WIDTH = 24
LAYERS = 64
BATCH = 64
BETAS = (0.9, 0.999)


def init_parameters(seed=1):
    rng = np.random.default_rng(seed)
    parameters = {"stem/weight": rng.normal(0, 0.3, (8, WIDTH)), "stem/bias": np.zeros(WIDTH)}
    for layer in range(LAYERS):
        parameters[f"block{layer:02d}/weight"] = rng.normal(0, 0.02, (WIDTH, WIDTH))
        parameters[f"block{layer:02d}/bias"] = np.zeros(WIDTH)
        parameters[f"block{layer:02d}/scale"] = np.ones(WIDTH)
    parameters["head/weight"] = rng.normal(0, 0.1, (WIDTH, 1))
    parameters["head/bias"] = np.zeros(1)
    return parameters


def forward(parameters, x):
    h = x @ parameters["stem/weight"] + parameters["stem/bias"]
    cache = []
    for layer in range(LAYERS):
        name = f"block{layer:02d}"
        a = np.tanh(h @ parameters[name + "/weight"] + parameters[name + "/bias"])
        cache.append((h, a))
        h = h + a * parameters[name + "/scale"]
    return h @ parameters["head/weight"] + parameters["head/bias"], h, cache


def gradients(parameters, x, y):
    prediction, last, cache = forward(parameters, x)
    delta = 2.0 * (prediction - y) / len(y)
    grads = {"head/weight": last.T @ delta, "head/bias": delta.sum(axis=0)}
    back = delta @ parameters["head/weight"].T
    for layer in reversed(range(LAYERS)):
        name = f"block{layer:02d}"
        h, a = cache[layer]
        grads[name + "/scale"] = (back * a).sum(axis=0)
        inner = back * parameters[name + "/scale"] * (1 - a * a)
        grads[name + "/weight"] = h.T @ inner
        grads[name + "/bias"] = inner.sum(axis=0)
        back = back + inner @ parameters[name + "/weight"].T
    grads["stem/weight"] = x.T @ back
    grads["stem/bias"] = back.sum(axis=0)
    return grads, float(((prediction - y) ** 2).mean())


def adam(parameters, grads, first, second, step, rate=1e-3):
    for name, g in grads.items():
        first[name] = BETAS[0] * first[name] + (1 - BETAS[0]) * g
        second[name] = BETAS[1] * second[name] + (1 - BETAS[1]) * g * g
        m = first[name] / (1 - BETAS[0] ** step)
        v = second[name] / (1 - BETAS[1] ** step)
        parameters[name] -= rate * m / (np.sqrt(v) + 1e-8)


def save_checkpoint(folder, step, groups):
    target = folder / f"step_{step:06d}"
    for group, tensors in groups.items():
        for name, tensor in tensors.items():
            path = target / group / (name + ".npy")
            path.parent.mkdir(parents=True, exist_ok=True)
            np.save(path, tensor)
    (target / "meta.json").write_text(json.dumps({"step": step, "groups": list(groups)}))


def main():
    steps, save_every = int(sys.argv[1]), int(sys.argv[2])
    rng = np.random.default_rng(9)
    parameters = init_parameters()
    first = {name: np.zeros_like(p) for name, p in parameters.items()}
    second = {name: np.zeros_like(p) for name, p in parameters.items()}
    losses = []
    for step in range(1, steps + 1):
        x = rng.normal(size=(BATCH, 8))
        y = np.sin(x[:, :1]) + 0.5 * x[:, 1:2] * x[:, 2:3]
        grads, loss = gradients(parameters, x, y)
        adam(parameters, grads, first, second, step)
        losses.append(loss)
        if step % save_every == 0:
            save_checkpoint(Path("checkpoints"), step,
                            {"params": parameters, "exp_avg": first, "exp_avg_sq": second})
    np.save("losses.npy", losses)
    print(f"loss {losses[0]:.4f} -> {np.mean(losses[-5:]):.4f}")


if __name__ == "__main__":
    main()
