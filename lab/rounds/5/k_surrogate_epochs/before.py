"""Train a small surrogate network for a reactor model; the weights and the
optimiser moments are kept after each epoch so that a run can be resumed."""
import os
import sys
import h5py
import numpy as np


class Layer:
    def __init__(self, name, n_in, n_out, rng):
        self.name = name
        self.state = {
            "weight": rng.normal(0.0, 1.0 / np.sqrt(n_in), (n_in, n_out)),
            "bias": np.zeros(n_out),
        }
        for key in ("weight", "bias"):
            self.state["m_" + key] = np.zeros_like(self.state[key])
            self.state["v_" + key] = np.zeros_like(self.state[key])

    def forward(self, x):
        self.x = x
        self.h = np.tanh(x @ self.state["weight"] + self.state["bias"])
        return x + self.h if x.shape == self.h.shape else self.h

    def backward(self, grad):
        local = grad * (1.0 - self.h ** 2)
        self.g = {"weight": self.x.T @ local / len(self.x), "bias": local.mean(axis=0)}
        back = local @ self.state["weight"].T
        return back + grad if self.x.shape == self.h.shape else back

    def adam(self, lr):
        for key, g in self.g.items():
            m, v = self.state["m_" + key], self.state["v_" + key]
            m += 0.1 * (g - m)
            v += 0.001 * (g * g - v)
            self.state[key] -= lr * m / (np.sqrt(v) + 1e-8)


def save_checkpoint(layers, epoch):
    folder = "ckpt_%03d" % epoch
    os.makedirs(folder, exist_ok=True)
    for layer in layers:
        for key, value in layer.state.items():
            path = os.path.join(folder, "%s.%s.h5" % (layer.name, key))
            with h5py.File(path, "w") as f:
                f.create_dataset("tensor", data=value)
                f.attrs["epoch"] = epoch


def reactor_samples(rng, count):
    x = rng.uniform(-1.0, 1.0, (count, 24))
    y = np.sin(x[:, :8]) * x[:, 8:16] + 0.1 * x[:, 16:24] ** 2
    return x, y


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    rng = np.random.default_rng(11)
    layers = [Layer("in", 24, 16, rng)]
    layers += [Layer("block%02d" % k, 16, 16, rng) for k in range(30)]
    layers += [Layer("out", 16, 8, rng)]
    x, y = reactor_samples(rng, 256)
    loss = 0.0
    for epoch in range(epochs):
        for batch in range(4):
            rows = slice(batch * 64, batch * 64 + 64)
            out = x[rows]
            for layer in layers:
                out = layer.forward(out)
            error = out - y[rows]
            loss = float((error ** 2).mean())
            grad = error
            for layer in reversed(layers):
                grad = layer.backward(grad)
            for layer in layers:
                layer.adam(1e-3)
        save_checkpoint(layers, epoch)
    print("epochs", epochs, "loss %.6f" % loss)


if __name__ == "__main__":
    main()
