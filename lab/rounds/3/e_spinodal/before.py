"""Phase-field simulation of spinodal decomposition; frames are appended to a resizable HDF5 dataset."""
import sys

import h5py
import numpy as np

N = 128
FRAME_EVERY = 20


def laplacian_symbol(n):
    k = 2 * np.pi * np.fft.fftfreq(n)
    return -(k[:, None] ** 2 + k[None, : n // 2 + 1] ** 2)


class PhaseField:
    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.c = 0.1 * rng.standard_normal((N, N))
        self.lap = laplacian_symbol(N)
        self.denominator = 1.0 + 0.1 * 0.5 * self.lap ** 2

    def step(self):
        mu = np.fft.rfft2(self.c ** 3 - self.c)
        chat = np.fft.rfft2(self.c)
        chat = (chat + 0.1 * self.lap * mu) / self.denominator
        self.c = np.fft.irfft2(chat, s=(N, N))

    def interface(self):
        gx, gy = np.gradient(self.c)
        return float(np.mean(np.hypot(gx, gy)))


class FrameWriter:
    def __init__(self, path):
        self.file = h5py.File(path, "w")
        self.frames = self.file.create_dataset("c", (0, N, N), maxshape=(None, N, N),
                                               chunks=(4, N, N), dtype="f4")
        self.lengths = []

    def append(self, field, interface):
        n = self.frames.shape[0]
        self.frames.resize(n + 1, axis=0)
        self.frames[n] = field
        self.lengths.append(interface)

    def finish(self, attributes):
        for key, value in attributes.items():
            self.file.attrs[key] = value
        self.file.create_dataset("interface", data=np.array(self.lengths))
        self.file.flush()
        self.file.close()


def main():
    nsteps = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    model = PhaseField(12)
    writer = FrameWriter("phase.h5")
    for step in range(nsteps):
        model.step()
        if step % FRAME_EVERY == 0:
            writer.append(model.c, model.interface())
            if len(writer.lengths) % 20 == 0:
                writer.file.flush()
    writer.finish({"steps": nsteps, "n": N, "mobility": 1.0, "kappa": 0.5})
    print("steps", nsteps, "variance %.6f" % model.c.var())


if __name__ == "__main__":
    main()
