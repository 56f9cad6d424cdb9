"""Stack the shot gathers of a small seismic survey, two processes."""
import multiprocessing as mp
import sys

import numpy as np

N_SAMPLES = 256
WORKERS = 2


def shot_traces(shot, n_traces):
    rng = np.random.default_rng(shot)
    t = np.arange(N_SAMPLES) * 0.004
    offsets = 50.0 + 25.0 * np.arange(n_traces)
    arrivals = np.sqrt(0.25 + (offsets / 2200.0) ** 2)
    arg = (np.pi * 18.0 * (t[None, :] - arrivals[:, None])) ** 2
    return (1 - 2 * arg) * np.exp(-arg) + rng.normal(0, 0.1, arg.shape), offsets


def bandpass(trace):
    spec = np.fft.rfft(trace)
    freq = np.fft.rfftfreq(len(trace), 0.004)
    spec *= np.exp(-((freq - 18.0) / 12.0) ** 2)
    return np.fft.irfft(spec, len(trace))


def moveout(trace, offset, velocity):
    t = np.arange(len(trace)) * 0.004
    return np.interp(np.sqrt(t ** 2 + (offset / velocity) ** 2), t, trace)


def process_trace(trace, offset):
    return moveout(bandpass(trace), offset, 2200.0)


def process_shot(job):
    shot, n_traces = job
    traces, offsets = shot_traces(shot, n_traces)
    stack = np.zeros(N_SAMPLES)
    for trace, offset in zip(traces, offsets):
        stack += process_trace(trace, offset)
    return shot, stack / n_traces


def main():
    n_shots = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    n_traces = 48
    jobs = [(shot, n_traces) for shot in range(n_shots)]
    section = np.zeros((n_shots, N_SAMPLES))
    with mp.Pool(WORKERS) as pool:
        for shot, stack in pool.imap_unordered(process_shot, jobs):
            section[shot] = stack
    np.save("section.npy", section)
    print("shots %d  rms %.8f  peak %d" % (
        n_shots, np.sqrt((section ** 2).mean()), int(np.abs(section).sum(axis=0).argmax())))


if __name__ == "__main__":
    main()
