"""Stack the shot gathers of a small seismic survey, two processes."""
import multiprocessing as mp
import sys
import tempfile

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


def bandpass(infile, outfile):
    trace = np.fromfile(infile)
    spec = np.fft.rfft(trace)
    freq = np.fft.rfftfreq(len(trace), 0.004)
    spec *= np.exp(-((freq - 18.0) / 12.0) ** 2)
    np.fft.irfft(spec, len(trace)).tofile(outfile)


def moveout(infile, outfile, offset, velocity):
    trace = np.fromfile(infile)
    t = np.arange(len(trace)) * 0.004
    moved = np.interp(np.sqrt(t ** 2 + (offset / velocity) ** 2), t, trace)
    moved.tofile(outfile)


def process_trace(trace, offset):
    with tempfile.NamedTemporaryFile(prefix="raw_", dir=".") as raw, \
         tempfile.NamedTemporaryFile(prefix="flt_", dir=".") as filtered, \
         tempfile.NamedTemporaryFile(prefix="nmo_", dir=".") as moved:
        trace.tofile(raw.name)
        bandpass(raw.name, filtered.name)
        moveout(filtered.name, moved.name, offset, 2200.0)
        return np.fromfile(moved.name)


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
