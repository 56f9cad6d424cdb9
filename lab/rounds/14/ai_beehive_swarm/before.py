"""Does the hive prepare to swarm?  Online training on microphone features.

A small network (96 bands - 192 - 96 - 1) sees the shards of a season one
after the other, each in random mini batches. A reader thread fetches the
next shard while the present one is being learned.
"""
import os
import sys
import threading
import queue

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np

BANDS = 96
LAYERS = (BANDS, 192, 96, 1)
BATCH = 100
RATE = 2e-3
SEASONS = int(sys.argv[1]) if len(sys.argv) > 1 else 2


def shards(folder, seasons):
    names = sorted(os.listdir(folder))
    for _ in range(seasons):
        for name in names:
            raw = np.fromfile(os.path.join(folder, name), dtype="<f4")
            yield raw.reshape(-1, BANDS + 1)


def ahead(items, depth=2):
    """run a generator in a thread, `depth` items ahead"""
    q = queue.Queue(depth)
    done = object()

    def work():
        for it in items:
            q.put(it)
        q.put(done)

    threading.Thread(target=work, daemon=True).start()
    while (it := q.get()) is not done:
        yield it


class Adam:
    def __init__(self, shapes):
        self.m = [np.zeros(s, "f4") for s in shapes]
        self.v = [np.zeros(s, "f4") for s in shapes]
        self.t = 0

    def update(self, params, grads):
        self.t += 1
        corr = np.sqrt(1 - 0.999 ** self.t) / (1 - 0.9 ** self.t)
        for p, g, m, v in zip(params, grads, self.m, self.v):
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            p -= RATE * corr * m / (np.sqrt(v) + 1e-8)


class Net:
    def __init__(self, rng):
        self.w = [rng.normal(0, (2 / a) ** 0.5, (a, b)).astype("f4") for a, b in zip(LAYERS, LAYERS[1:])]
        self.b = [np.zeros(b, "f4") for b in LAYERS[1:]]
        self.opt = Adam([p.shape for p in self.w + self.b])

    def forward(self, x):
        acts = [x]
        for i, (w, b) in enumerate(zip(self.w, self.b)):
            x = x @ w + b
            if i < len(self.w) - 1:
                x = np.maximum(x, 0)
            acts.append(x)
        return acts, 1 / (1 + np.exp(-acts[-1][:, 0]))

    def learn(self, x, y):
        acts, p = self.forward(x)
        delta = ((p - y) / len(y))[:, None]
        gw, gb = [], []
        for i in reversed(range(len(self.w))):
            gw.insert(0, acts[i].T @ delta)
            gb.insert(0, delta.sum(axis=0))
            if i:
                delta = (delta @ self.w[i].T) * (acts[i] > 0)
        self.opt.update(self.w + self.b, gw + gb)
        return -float(np.mean(y * np.log(p + 1e-7) + (1 - y) * np.log(1 - p + 1e-7)))


def main():
    rng = np.random.default_rng(3)
    net = Net(rng)
    for k, shard in enumerate(ahead(shards("shards", SEASONS))):
        order = rng.permutation(len(shard))
        loss = [net.learn(shard[i, :BANDS], shard[i, BANDS])
                for i in np.array_split(order, len(order) // BATCH)]
        print(f"shard {k:3d}  loss {np.mean(loss):.4f}")
    np.savez("swarm_net.npz", *net.w, *net.b)


if __name__ == "__main__":
    main()
