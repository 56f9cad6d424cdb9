"""Calcium imaging: find the transients of simulated neurons and keep their wave forms.

usage: transients.py neurons seconds
"""
import sys

import h5py
import numpy as np

RATE = 30.0            # frames per second
DECAY = 0.9            # s, decay of the indicator
NOISE = 0.08
THRESHOLD = 0.55       # dF/F
BEFORE, AFTER = 10, 50  # frames kept around an onset


def simulate(rng, nframes):
    """Fluorescence trace of one neuron: Poisson spikes through an exponential decay."""
    spikes = rng.random(nframes) < 0.25 / RATE
    amplitude = np.where(spikes, rng.gamma(6.0, 0.18, nframes), 0.0)
    kernel = np.exp(-np.arange(int(5 * DECAY * RATE)) / (DECAY * RATE))
    trace = np.convolve(amplitude, kernel)[:nframes]
    drift = 0.1 * np.sin(2 * np.pi * np.arange(nframes) / (RATE * 120))
    return trace + drift + rng.normal(0, NOISE, nframes)


def baseline(trace, width=450):
    """Low percentile in blocks, interpolated."""
    n = len(trace) // width
    blocks = np.percentile(trace[:n * width].reshape(n, width), 20, axis=1)
    centres = (np.arange(n) + 0.5) * width
    return np.interp(np.arange(len(trace)), centres, blocks)


def onsets(dff):
    above = dff > THRESHOLD
    rising = np.flatnonzero(above[1:] & ~above[:-1]) + 1
    kept, last = [], -AFTER
    for t in rising:
        if t - last >= 15 and BEFORE <= t < len(dff) - AFTER:
            kept.append(int(t))
            last = t
    return kept


def open_store(name):
    store = h5py.File(name, "w")
    store.attrs["rate"] = RATE
    return store


def keep_events(store, neuron, dff, times):
    group = store.create_group("neuron_%04d" % neuron)
    events = np.empty((len(times), BEFORE + AFTER), "f4")
    for k, t in enumerate(times):
        events[k] = dff[t - BEFORE:t + AFTER]
    group.create_dataset("events", data=events)
    group.create_dataset("onset", data=np.array(times, "i4"))


def main():
    neurons = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 600.0
    rng = np.random.default_rng(77)
    nframes = int(seconds * RATE)
    total = 0
    mean_shape = np.zeros(BEFORE + AFTER)

    store = open_store("transients.h5")
    for neuron in range(neurons):
        trace = simulate(rng, nframes)
        dff = trace - baseline(trace)
        times = onsets(dff)
        keep_events(store, neuron, dff, times)
        for t in times:
            mean_shape += dff[t - BEFORE:t + AFTER]
        total += len(times)
    store.close()

    mean_shape /= max(total, 1)
    half = int(np.argmax(mean_shape[BEFORE + 5:] < mean_shape[BEFORE:].max() / 2)) + 5
    print("%d transients of %d neurons, peak %.4f, half decay %.2f s"
          % (total, neurons, mean_shape.max(), half / RATE))


if __name__ == "__main__":
    main()
