"""Motion energy at a nest camera: difference frames are stored and scored.

The recorder's raw stream is cut into frames, differences to a running
background go to an HDF5 file, and bouts of activity are found from it.
"""
import argparse
import json

import h5py
import numpy as np

DEPTH = 8


def open_stream(path):
    with open(path + ".json") as f:
        meta = json.load(f)
    frames = np.memmap(path, dtype=np.uint8, mode="r",
                       shape=(meta["frames"], meta["height"], meta["width"]))
    return frames, meta


def create_store(path, meta):
    h5 = h5py.File(path, "w")
    shape = (meta["frames"], meta["height"], meta["width"])
    store = h5.create_dataset("difference", shape, dtype="u1", chunks=(1, meta["height"], meta["width"]))
    store.attrs["fps"] = meta["fps"]
    return h5, store


def background(previous, frame, rate):
    return previous + rate * (frame - previous)


def fill(frames, store, rate):
    """Stores the absolute difference of each frame to the background."""
    model = frames[0].astype(np.float32)
    for i, frame in enumerate(frames):
        now = frame.astype(np.float32)
        store[i] = np.clip(np.abs(now - model), 0, 255).astype(np.uint8)
        model = background(model, now, rate)


def energy(path):
    """Mean difference of every frame, read back from the file."""
    with h5py.File(path, "r") as h5:
        store = h5["difference"]
        step = 16
        parts = []
        for first in range(0, store.shape[0], step):
            block = store[first:first + step]
            parts.append(block.reshape(len(block), -1).mean(axis=1))
    return np.concatenate(parts)


def bouts(values, cut):
    active = values > cut
    edges = np.flatnonzero(np.diff(active.astype(np.int8)))
    return int(active.sum()), len(edges)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("stream")
    p.add_argument("--rate", type=float, default=0.05)
    p.add_argument("--store", default="difference.h5")
    args = p.parse_args()

    frames, meta = open_stream(args.stream)
    h5, store = create_store(args.store, meta)
    fill(frames, store, args.rate)
    h5.close()
    values = energy(args.store)
    active, edges = bouts(values, float(np.median(values)) + 0.05)
    with open("bouts.json", "w") as f:
        json.dump({"active": active, "edges": edges}, f)
    print(f"frames {len(values)} active {active} edges {edges}")
    print(f"energy {values.sum():.5f}")


if __name__ == "__main__":
    main()
