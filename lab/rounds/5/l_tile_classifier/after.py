"""Train a small land-cover classifier on satellite tiles."""
import glob
import queue
import sys
import threading

import numpy as np

N_CLASSES = 3
BATCH = 8
POOL = 16


class TileLoader:
    """Feeds shuffled batches of tiles from a background thread."""

    def __init__(self, paths, epochs, seed=3):
        self.paths = paths
        self.epochs = epochs
        self.rng = np.random.default_rng(seed)
        self.decoded = {}
        self.batches = queue.Queue(maxsize=4)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _load_tile(self, path):
        if path not in self.decoded:
            with np.load(path) as tile:
                self.decoded[path] = tile["image"], int(tile["label"])
        return self.decoded[path]

    def _run(self):
        for _ in range(self.epochs):
            order = self.rng.permutation(len(self.paths))
            for start in range(0, len(order), BATCH):
                samples = [self._load_tile(self.paths[i])
                           for i in order[start:start + BATCH]]
                images = np.stack([s[0] for s in samples])
                labels = np.array([s[1] for s in samples])
                self.batches.put((images, labels))
            self.batches.put(None)

    def epoch(self):
        while True:
            batch = self.batches.get()
            if batch is None:
                return
            yield batch


class Classifier:
    def __init__(self, n_bands, n_side, rng):
        n_feat = n_bands * (n_side // POOL) ** 2
        self.w = rng.normal(0, 0.01, (n_feat, N_CLASSES))
        self.b = np.zeros(N_CLASSES)

    def features(self, images):
        n, bands, h, w = images.shape
        pooled = images.reshape(n, bands, h // POOL, POOL, w // POOL, POOL).mean(axis=(3, 5))
        return (pooled.reshape(n, -1) - 900.0) / 300.0

    def step(self, images, labels, rate):
        feats = self.features(images)
        logits = feats @ self.w + self.b
        logits -= logits.max(axis=1, keepdims=True)
        prob = np.exp(logits)
        prob /= prob.sum(axis=1, keepdims=True)
        loss = -np.log(prob[np.arange(len(labels)), labels] + 1e-12).mean()
        prob[np.arange(len(labels)), labels] -= 1.0
        self.w -= rate * feats.T @ prob / len(labels)
        self.b -= rate * prob.mean(axis=0)
        return loss


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    paths = sorted(glob.glob("tiles/tile_*.npz"))
    loader = TileLoader(paths, epochs)
    model = Classifier(6, 192, np.random.default_rng(1))
    for epoch in range(epochs):
        losses = [model.step(images, labels, 0.02) for images, labels in loader.epoch()]
        mean_loss = float(np.mean(losses))
    print("final loss %.6f" % mean_loss)


if __name__ == "__main__":
    main()
