"""Softmax classifier for leaf scans, trained in batches that a background process delivers."""
import multiprocessing as mp
import os
import sys

import numpy as np

FOLDER = "leaves"
SHAPE = (96, 128)
CLASSES = 10
BATCH = 50


def leaf_names():
    return sorted(os.listdir(FOLDER))


def read_leaf(name):
    with open(os.path.join(FOLDER, name), "rb") as f:
        image = np.frombuffer(f.read(), dtype=np.uint8).reshape(SHAPE)
    image = np.sqrt(image.astype(np.float32))
    small = image.reshape(24, 4, 32, 4).mean(axis=(1, 3)).ravel()
    small = (small - small.mean()) / (small.std() + 1e-6)
    return small, int(name.split("_")[2][0])


def deliver(names, epochs, queue):
    known = {}
    for epoch in range(epochs):
        order = np.random.default_rng(epoch).permutation(len(names))
        for start in range(0, len(names), BATCH):
            wanted = [names[i] for i in order[start:start + BATCH]]
            for name in wanted:
                if name not in known:
                    known[name] = read_leaf(name)
            leaves = [known[name] for name in wanted]
            queue.put((np.stack([x for x, _ in leaves]), np.array([y for _, y in leaves])))
    queue.put(None)


def train_step(weights, x, y, rate):
    logits = x @ weights
    logits -= logits.max(axis=1, keepdims=True)
    p = np.exp(logits)
    p /= p.sum(axis=1, keepdims=True)
    loss = -np.log(p[np.arange(len(y)), y] + 1e-9).mean()
    p[np.arange(len(y)), y] -= 1.0
    weights -= rate * (x.T @ p) / len(y)
    return loss


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    queue = mp.Queue(maxsize=2)
    loader = mp.Process(target=deliver, args=(leaf_names(), epochs, queue))
    loader.start()
    weights = np.zeros((24 * 32, CLASSES), dtype=np.float32)
    losses = []
    while True:
        batch = queue.get()
        if batch is None:
            break
        losses.append(train_step(weights, *batch, rate=0.01))
    loader.join()
    np.save("weights.npy", weights)
    print("%d steps, first loss %.4f, last loss %.4f" % (len(losses), losses[0], losses[-1]))


if __name__ == "__main__":
    main()
