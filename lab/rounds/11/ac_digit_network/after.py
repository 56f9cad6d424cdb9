"""Train a small two-layer perceptron on synthetic 'digits' and keep the
state of each epoch, so that the evolution of the receptive fields can be
studied afterwards."""
import os
import sys

import numpy as np

N_INPUT = 196          # 14 x 14 pixels
N_HIDDEN = 500
N_CLASS = 10
N_TRAIN = 3000
BATCH = 100
RATE = 0.05


def make_digits(rng):
    """Blurred random prototypes with pixel noise."""
    proto = rng.random((N_CLASS, 14, 14))
    for axis in (1, 2):
        proto = (proto + np.roll(proto, 1, axis) + np.roll(proto, -1, axis)) / 3
    proto = proto.reshape(N_CLASS, N_INPUT)
    label = rng.integers(0, N_CLASS, N_TRAIN)
    image = proto[label] + 0.15 * rng.standard_normal((N_TRAIN, N_INPUT))
    return image.astype(np.float32), label


def init_network(rng):
    return {
        "w1": (rng.standard_normal((N_HIDDEN, N_INPUT)) / np.sqrt(N_INPUT)).astype(np.float32),
        "w2": (rng.standard_normal((N_CLASS, N_HIDDEN)) / np.sqrt(N_HIDDEN)).astype(np.float32),
        "b1": np.zeros((1, N_HIDDEN), np.float32),
        "b2": np.zeros((1, N_CLASS), np.float32),
    }


def forward(net, x):
    h = np.tanh(x @ net["w1"].T + net["b1"])
    z = h @ net["w2"].T + net["b2"]
    z -= z.max(axis=1, keepdims=True)
    p = np.exp(z)
    return h, p / p.sum(axis=1, keepdims=True)


def train_batch(net, x, y):
    h, p = forward(net, x)
    loss = -np.log(p[np.arange(len(y)), y] + 1e-12).mean()
    p[np.arange(len(y)), y] -= 1.0
    p /= len(y)
    dh = (p @ net["w2"]) * (1 - h * h)
    net["w2"] -= RATE * p.T @ h
    net["b2"] -= RATE * p.sum(axis=0, keepdims=True)
    net["w1"] -= RATE * dh.T @ x
    net["b1"] -= RATE * dh.sum(axis=0, keepdims=True)
    return loss


def save_network(net, epoch):
    folder = f"checkpoint_{epoch:03d}"
    os.makedirs(folder, exist_ok=True)
    np.savez(os.path.join(folder, "network.npz"), **net)


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    rng = np.random.default_rng(7)
    image, label = make_digits(rng)
    net = init_network(rng)
    for epoch in range(epochs):
        order = rng.permutation(N_TRAIN)
        losses = []
        for start in range(0, N_TRAIN, BATCH):
            pick = order[start:start + BATCH]
            losses.append(train_batch(net, image[pick], label[pick]))
        save_network(net, epoch)
        print(f"epoch {epoch:2d}  loss {np.mean(losses):.4f}")
    _, p = forward(net, image)
    print("accuracy", (p.argmax(axis=1) == label).mean())


if __name__ == "__main__":
    main()
