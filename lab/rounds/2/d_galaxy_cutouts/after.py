"""Cut stamps around detected sources out of a synthetic sky image and store
them with their moments for the classifier; then make the class statistics."""
import json
import os
import sys

import numpy as np

HALF = 4


def make_sky(rng, size, n_sources):
    sky = rng.normal(10.0, 1.0, (size, size)).astype("f4")
    xs = rng.integers(HALF, size - HALF, n_sources)
    ys = rng.integers(HALF, size - HALF, n_sources)
    yy, xx = np.mgrid[-HALF:HALF, -HALF:HALF]
    for x, y, flux, q in zip(xs, ys, rng.exponential(60.0, n_sources), rng.uniform(0.4, 1, n_sources)):
        sky[y - HALF:y + HALF, x - HALF:x + HALF] += flux * np.exp(-0.3 * (xx**2 + (yy / q) ** 2))
    return sky, xs, ys


def moments(stamp):
    yy, xx = np.mgrid[-HALF:HALF, -HALF:HALF]
    light = np.clip(stamp - 10.0, 0.0, None) + 1e-6
    total = float(light.sum())
    return {
        "flux": total,
        "mxx": float((light * xx * xx).sum() / total),
        "myy": float((light * yy * yy).sum() / total),
        "mxy": float((light * xx * yy).sum() / total),
    }


class StampStore:
    def __init__(self, root):
        self.root = root
        self.count = 0
        self.stamps = []
        self.infos = []
        os.makedirs(root, exist_ok=True)

    def put(self, stamp, info):
        self.stamps.append(stamp)
        self.infos.append(info)
        self.count += 1

    def finish(self):
        np.save(os.path.join(self.root, "stamps.npy"), np.stack(self.stamps))
        with open(os.path.join(self.root, "infos.json"), "w") as out:
            json.dump(self.infos, out)

    def __iter__(self):
        stamps = np.load(os.path.join(self.root, "stamps.npy"))
        with open(os.path.join(self.root, "infos.json")) as src:
            infos = json.load(src)
        yield from zip(stamps, infos)


def classify(store):
    counts = {"round": 0, "elongated": 0, "faint": 0}
    peak = 0.0
    for stamp, info in store:
        peak = max(peak, float(stamp.max()))
        if info["flux"] < 150.0:
            counts["faint"] += 1
        elif abs(info["mxx"] - info["myy"]) > 0.3:
            counts["elongated"] += 1
        else:
            counts["round"] += 1
    return counts, peak


def main(n_sources):
    rng = np.random.default_rng(3)
    sky, xs, ys = make_sky(rng, 1024, n_sources)
    store = StampStore("stamps")
    for x, y in zip(xs, ys):
        stamp = sky[y - HALF:y + HALF, x - HALF:x + HALF]
        store.put(stamp, moments(stamp))
    store.finish()
    counts, peak = classify(store)
    print(f"{n_sources} stamps {counts} peak {peak:.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2500)
