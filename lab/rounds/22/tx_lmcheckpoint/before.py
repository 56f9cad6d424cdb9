#!/usr/bin/env python3
"""Character language model in numpy with crash-safe checkpoints."""
import argparse
import json
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

CONTEXT = 12
EMBED = 16
HIDDEN = 320


def encode(path):
    text = Path(path).read_text(encoding="utf-8")
    chars = sorted(set(text))
    table = {c: i for i, c in enumerate(chars)}
    return np.fromiter((table[c] for c in text), dtype=np.int64, count=len(text)), chars


def init(n, rng):
    return {"E": rng.normal(0, 0.1, (n, EMBED)),
            "W1": rng.normal(0, 0.07, (CONTEXT * EMBED, HIDDEN)),
            "b1": np.zeros(HIDDEN),
            "W2": rng.normal(0, 0.05, (HIDDEN, n)),
            "b2": np.zeros(n)}


def forward_backward(p, x, y):
    n = len(x)
    e = p["E"][x].reshape(n, -1)
    h = np.tanh(e @ p["W1"] + p["b1"])
    z = h @ p["W2"] + p["b2"]
    z -= z.max(1, keepdims=True)
    q = np.exp(z)
    q /= q.sum(1, keepdims=True)
    loss = -np.log(q[np.arange(n), y]).mean()
    q[np.arange(n), y] -= 1
    q /= n
    dh = (q @ p["W2"].T) * (1 - h * h)
    g = {"W2": h.T @ q, "b2": q.sum(0), "W1": e.T @ dh, "b1": dh.sum(0), "E": np.zeros_like(p["E"])}
    np.add.at(g["E"], x.ravel(), (dh @ p["W1"].T).reshape(-1, EMBED))
    return loss, g


def save_checkpoint(folder, step, params):
    path = folder / f"step_{step:06d}.npz"
    tmp = path.with_suffix(".tmp")
    with open(tmp, "wb") as f:
        np.savez(f, **params)
        f.flush()
        os.fsync(f.fileno())
    os.replace(tmp, path)
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
    return path


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("text")
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--every", type=int, default=80)
    ap.add_argument("--batch", type=int, default=512)
    ap.add_argument("--dir", type=Path, default=Path("ckpt"))
    args = ap.parse_args()
    args.dir.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(5)
    data, chars = encode(args.text)
    params = init(len(chars), rng)
    offsets = np.arange(CONTEXT)
    with open(args.dir / "log.jsonl", "a", buffering=1) as log:
        for step in range(1, args.steps + 1):
            at = rng.integers(0, len(data) - CONTEXT - 1, args.batch)
            loss, grads = forward_backward(params, data[at[:, None] + offsets], data[at + CONTEXT])
            for k, g in grads.items():
                params[k] -= 0.5 * g
            if step % 15 == 0:
                log.write(json.dumps({"step": step, "loss": round(float(loss), 3)}) + "\n")
            if step % args.every == 0:
                save_checkpoint(args.dir, step, params)
    print(f"{len(data)} characters, {len(chars)} symbols, last loss {loss:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
