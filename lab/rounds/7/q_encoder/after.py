"""Fit a small residual encoder and keep restart states of it."""
import json
import os
import sys

import numpy as np

LAYERS = 24
WIDTH = 64


def init_params(rng):
    params = {}
    for l in range(LAYERS):
        params["block%02d.w" % l] = rng.normal(0, 0.05, (WIDTH, WIDTH)).astype(np.float32)
        params["block%02d.b" % l] = np.zeros(WIDTH, dtype=np.float32)
        params["block%02d.scale" % l] = np.ones(WIDTH, dtype=np.float32)
    return params


def forward(params, x):
    states = [x]
    for l in range(LAYERS):
        h = np.tanh(x @ params["block%02d.w" % l] + params["block%02d.b" % l])
        x = x + 0.1 * h * params["block%02d.scale" % l]
        states.append(x)
    return x, states


def train_step(params, moments, x, target, rate):
    y, states = forward(params, x)
    err = y - target
    for l in range(LAYERS):
        g = states[l].T @ err / len(x)
        for key, grad in (("w", g), ("b", err.mean(0)), ("scale", 0.1 * (err * states[l]).mean(0))):
            name = "block%02d.%s" % (l, key)
            moments[name] = 0.9 * moments[name] + 0.1 * grad
            params[name] -= rate * moments[name]
    return float((err ** 2).mean())


def save_state(params, moments, step):
    folder = "state_%05d" % step
    os.makedirs(folder, exist_ok=True)
    index = {}
    offset = 0
    with open(os.path.join(folder, "state.bin"), "wb", buffering=1 << 20) as out:
        for group, tensors in (("model", params), ("optim", moments)):
            for name, value in tensors.items():
                out.write(value.tobytes())
                index[group + "." + name] = {"shape": list(value.shape), "offset": offset}
                offset += value.nbytes
    with open(os.path.join(folder, "index.json"), "w") as f:
        json.dump(index, f)


def main():
    steps = int(sys.argv[1])
    every = int(sys.argv[2])
    rng = np.random.default_rng(2)
    params = init_params(rng)
    moments = {k: np.zeros_like(v) for k, v in params.items()}
    x = rng.normal(0, 1, (32, WIDTH)).astype(np.float32)
    target = np.tanh(x[:, ::-1])
    loss = 0.0
    for step in range(1, steps + 1):
        loss = train_step(params, moments, x, target, 0.01)
        if step % every == 0:
            save_state(params, moments, step)
    print("steps %d  loss %.5f" % (steps, loss))


if __name__ == "__main__":
    main()
