"""Trains a convolutional phase picker; a thread prepares the next batches.

usage: before.py EPOCHS
"""
import queue
import sys
import threading
from pathlib import Path

import numpy as np

BATCH = 12
N_FILTERS = 16
KERNEL = 41
PREFETCH = 4


class EventLoader(threading.Thread):
    def __init__(self, paths, epochs, seed=2):
        super().__init__(daemon=True)
        self.paths = paths
        self.epochs = epochs
        self.rng = np.random.default_rng(seed)
        self.ready = queue.Queue(maxsize=PREFETCH)

    def read_event(self, path):
        trace = np.load(path)
        arrival = int(path.stem.split("_")[1])
        return trace / trace.std(axis=1, keepdims=True), arrival

    def run(self):
        for _ in range(self.epochs):
            order = self.rng.permutation(len(self.paths))
            for start in range(0, len(order), BATCH):
                events = [self.read_event(self.paths[k]) for k in order[start:start + BATCH]]
                traces = np.stack([trace for trace, _ in events])
                self.ready.put((traces, np.array([arrival for _, arrival in events])))
        self.ready.put(None)

    def __iter__(self):
        while (batch := self.ready.get()) is not None:
            yield batch


def windows(traces):
    """Sliding windows: batch x positions x (3 * kernel)."""
    view = np.lib.stride_tricks.sliding_window_view(traces, KERNEL, axis=2)
    n, c, length, k = view.shape
    return np.ascontiguousarray(view.transpose(0, 2, 1, 3)).reshape(n, length, c * k)


class Picker:
    def __init__(self, seed=4):
        rng = np.random.default_rng(seed)
        self.kernels = rng.normal(0, 0.08, (3 * KERNEL, N_FILTERS)).astype(np.float32)
        self.mix = rng.normal(0, 0.2, N_FILTERS).astype(np.float32)

    def step(self, traces, arrivals, rate=0.2):
        patches = windows(traces)
        hidden = np.tanh(patches @ self.kernels)
        logits = hidden @ self.mix
        logits -= logits.max(axis=1, keepdims=True)
        prob = np.exp(logits)
        prob /= prob.sum(axis=1, keepdims=True)
        target = np.zeros_like(prob)
        rows = np.arange(len(arrivals))
        target[rows, arrivals - KERNEL // 2] = 1.0
        loss = -np.log(prob[rows, arrivals - KERNEL // 2] + 1e-9).mean()
        delta = (prob - target) / len(arrivals)
        back = delta[:, :, None] * self.mix * (1 - hidden ** 2)
        self.mix -= rate * np.einsum("npf,np->f", hidden, delta)
        flat = patches.reshape(-1, patches.shape[2])
        self.kernels -= rate * flat.T @ back.reshape(-1, N_FILTERS)
        error = np.abs(prob.argmax(axis=1) + KERNEL // 2 - arrivals)
        return float(loss), float(np.median(error))


def main():
    epochs = int(sys.argv[1])
    paths = sorted(Path("events").glob("ev*.npy"))
    loader = EventLoader(paths, epochs)
    loader.start()
    picker = Picker()
    history = [picker.step(traces, arrivals) for traces, arrivals in loader]
    loader.join()
    history = np.array(history)
    np.savetxt("history.txt", history, fmt="%.5f")
    print(f"loss {history[:5, 0].mean():.3f} -> {history[-5:, 0].mean():.3f}, "
          f"pick error {history[-5:, 1].mean():.1f} samples")


if __name__ == "__main__":
    main()
