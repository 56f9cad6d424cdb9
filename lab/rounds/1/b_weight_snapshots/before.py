"""Evolve the parameters of a stacked network and store snapshots of them."""
import os
import sys

import numpy as np

BLOCKS = 40
PARTS = ("q.weight", "k.weight", "v.weight", "out.weight", "q.bias", "k.bias",
         "v.bias", "out.bias", "norm1.gain", "norm1.shift", "norm2.gain", "norm2.shift")


def init_params(rng, width):
    params = {}
    for blk in range(BLOCKS):
        for part in PARTS:
            shape = (width, width) if part.endswith(".weight") else (width,)
            params["block%02d.%s" % (blk, part)] = rng.normal(0, 0.02, shape).astype("f4")
    return params


def adam_like_update(params, moments, rng, lr):
    for name, value in params.items():
        grad = 0.1 * value + rng.standard_normal(value.shape, dtype="f4") * 0.01
        moments[name] = 0.9 * moments[name] + 0.1 * grad
        value -= lr * moments[name]


def save_snapshot(directory, step, params, moments):
    target = os.path.join(directory, "step_%05d" % step)
    os.makedirs(target, exist_ok=True)
    for name, value in params.items():
        np.save(os.path.join(target, name + ".npy"), value)
        np.save(os.path.join(target, name + ".moment.npy"), moments[name])
    with open(os.path.join(target, "meta.txt"), "w") as f:
        f.write("step %d\ntensors %d\n" % (step, 2 * len(params)))


def main():
    nsteps = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    rng = np.random.default_rng(5)
    params = init_params(rng, 16)
    moments = {k: np.zeros_like(v) for k, v in params.items()}
    for step in range(nsteps):
        adam_like_update(params, moments, rng, 1e-2)
        save_snapshot("snapshots", step, params, moments)
    norm = sum(float((v ** 2).sum()) for v in params.values())
    print("steps %d  squared norm %.6f" % (nsteps, norm))


if __name__ == "__main__":
    main()
