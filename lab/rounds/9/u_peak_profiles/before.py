"""Average ChIP-seq coverage around peaks, in strand-less windows.

Reads coverage.f32 (one value per base) and peaks.i32 (peak summits), writes
profiles.h5 with the normalised window of every peak and the cluster means.
"""
import h5py
import numpy as np

HALF = 200
BIN = 4
CLUSTERS = 4


class Coverage:
    def __init__(self, path):
        self.values = np.fromfile(path, dtype="f4")

    def window(self, centre):
        w = self.values[centre - HALF:centre + HALF]
        return w.reshape(-1, BIN).mean(axis=1)


def profiles(cov, peaks):
    out = np.empty((peaks.size, 2 * HALF // BIN), dtype="f4")
    for k, centre in enumerate(peaks):
        w = cov.window(centre)
        out[k] = (w - w.mean()) / (w.std() + 1e-6)
    return out


def kmeans(data, k, rounds, seed=4):
    rng = np.random.default_rng(seed)
    centres = data[rng.choice(len(data), k, replace=False)].copy()
    for _ in range(rounds):
        dist = ((data[:, None, :] - centres[None]) ** 2).sum(axis=2)
        label = dist.argmin(axis=1)
        for c in range(k):
            if (label == c).any():
                centres[c] = data[label == c].mean(axis=0)
    return label, centres


def main():
    peaks = np.fromfile("peaks.i32", dtype="i4")
    cov = Coverage("coverage.f32")
    prof = profiles(cov, peaks)
    label, centres = kmeans(prof, CLUSTERS, 8)
    with h5py.File("profiles.h5", "w") as f:
        d = f.create_dataset("profiles", data=prof, chunks=(3000, prof.shape[1]))
        d.attrs["half_width"] = HALF
        d.attrs["bin"] = BIN
        f["cluster"] = label.astype("i4")
        f["centres"] = centres
    sizes = np.bincount(label, minlength=CLUSTERS)
    print(len(peaks), "peaks, clusters", " ".join(map(str, sizes)),
          f"first centre {centres[0, 0]:.5f}")


if __name__ == "__main__":
    main()
