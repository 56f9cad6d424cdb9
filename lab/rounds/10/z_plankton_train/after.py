"""Train a small two-layer network which tells five plankton size classes apart.

The tiles come from a flow-through camera: one packed file with a 16 byte header
and, for each tile, a label and SIDE*SIDE bytes of grey values.
"""
import argparse
import multiprocessing as mp
import struct

import numpy as np

HEADER = struct.Struct("<4sIII")


class TileFile:
    def __init__(self, path):
        self.fh = open(path, "rb")
        magic, self.count, self.side, self.classes = HEADER.unpack(self.fh.read(HEADER.size))
        if magic != b"PLK1":
            raise SystemExit("not a tile file")
        self.stride = 4 + self.side * self.side

    def tile(self, index):
        self.fh.seek(HEADER.size + index * self.stride)
        blob = self.fh.read(self.stride)
        label = struct.unpack_from("<I", blob)[0]
        grey = np.frombuffer(blob, np.uint8, offset=4).reshape(self.side, self.side)
        return grey.astype(np.float64) / 255.0, label


def condition(grey):
    """Flat-field, low-pass in Fourier space and reduce to 16 x 16 means."""
    side = grey.shape[0]
    freq = np.fft.fftfreq(side)
    mask = np.exp(-((freq[:, None] ** 2 + freq[None, :] ** 2) / 0.02))
    smooth = np.fft.ifft2(np.fft.fft2(grey - np.median(grey)) * mask).real
    for _ in range(3):
        smooth = 0.5 * smooth + 0.125 * (np.roll(smooth, 1, 0) + np.roll(smooth, -1, 0)
                                         + np.roll(smooth, 1, 1) + np.roll(smooth, -1, 1))
    cell = side // 16
    small = smooth.reshape(16, cell, 16, cell).mean(axis=(1, 3))
    return ((small - small.mean()) / (small.std() + 1e-9)).ravel()


def load_range(job):
    path, first, last = job
    tiles = TileFile(path)
    pairs = [tiles.tile(i) for i in range(first, last)]
    return np.array([condition(grey) for grey, _ in pairs]), np.array([y for _, y in pairs])


class Network:
    def __init__(self, inputs, hidden, classes, rng):
        self.w1 = rng.normal(0, 0.08, (inputs, hidden))
        self.w2 = rng.normal(0, 0.08, (hidden, classes))

    def step(self, x, y, rate):
        loss = 0.0
        for _ in range(2):
            h = np.tanh(x @ self.w1)
            z = h @ self.w2
            p = np.exp(z - z.max(axis=1, keepdims=True))
            p /= p.sum(axis=1, keepdims=True)
            loss = -np.log(p[np.arange(len(y)), y] + 1e-12).mean()
            g = p
            g[np.arange(len(y)), y] -= 1.0
            g /= len(y)
            g1 = (g @ self.w2.T) * (1.0 - h * h)
            self.w2 -= rate * (h.T @ g)
            self.w1 -= rate * (x.T @ g1)
        return loss


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--tiles", default="plankton.tiles")
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--batch", type=int, default=25)
    args = ap.parse_args()
    info = TileFile(args.tiles)
    rng = np.random.default_rng(5)
    net = Network(256, 192, info.classes, rng)
    orders = [rng.permutation(info.count) for _ in range(args.epochs)]
    cuts = np.linspace(0, info.count, 9).astype(int)
    with mp.Pool(2) as pool:
        parts = pool.map(load_range, [(args.tiles, int(a), int(b)) for a, b in zip(cuts, cuts[1:])])
    x = np.concatenate([p[0] for p in parts])
    y = np.concatenate([p[1] for p in parts])
    losses = []
    for order in orders:
        for start in range(0, len(order), args.batch):
            pick = order[start:start + args.batch]
            losses.append(net.step(x[pick], y[pick], 0.1))
    per = len(losses) // args.epochs
    for e in range(args.epochs):
        print(f"epoch {e} loss {np.mean(losses[e * per:(e + 1) * per]):.6f}")
    np.savetxt("weights.txt", net.w2[:6], fmt="%.6f")


if __name__ == "__main__":
    main()
