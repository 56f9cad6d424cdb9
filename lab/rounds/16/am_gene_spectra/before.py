"""Periodicity of codons in a genome: sliding Fourier spectra.

A synthetic genome with coding stretches is scanned window by window.  The
power at period three and the whole spectrum of each window are stored in a
chunked, compressed HDF5 file, and one summary group is written per chromosome.
"""
import sys

import h5py
import numpy as np

N_CHROM = int(sys.argv[1]) if len(sys.argv) > 1 else 6
LENGTH = int(sys.argv[2]) if len(sys.argv) > 2 else 900000
WINDOW = 351
STEP = 60
BATCH = 3000                     # windows per transform


def make_chromosome(rng):
    """Bases 0..3; in coding stretches every third base is biased."""
    seq = rng.integers(0, 4, LENGTH).astype(np.int8)
    for start in rng.integers(0, LENGTH - 6000, LENGTH // 20000):
        size = int(rng.integers(600, 6000))
        third = np.arange(start, start + size, 3)
        biased = rng.random(len(third)) < 0.55
        seq[third[biased]] = 2
    return seq


def window_spectra(seq):
    """Summed power spectra of the four base indicators, for all windows."""
    starts = np.arange(0, len(seq) - WINDOW, STEP)
    view = np.lib.stride_tricks.sliding_window_view(seq, WINDOW)[::STEP]
    view = view[: len(starts)]
    out = np.empty((len(starts), WINDOW // 2 + 1), np.float32)
    for a in range(0, len(starts), BATCH):
        part = view[a:a + BATCH]
        power = 0.0
        for base in range(4):
            ind = (part == base).astype(np.float32)
            power = power + np.abs(np.fft.rfft(ind, axis=1)) ** 2
        out[a:a + BATCH] = power
    return starts, out


def period_three_score(spectra):
    noise = np.median(spectra[:, 1:], axis=1)
    return spectra[:, WINDOW // 3] / noise


def main():
    rng = np.random.default_rng(64)
    found = 0
    with h5py.File("spectra.h5", "w") as f:
        for c in range(N_CHROM):
            seq = make_chromosome(rng)
            starts, spectra = window_spectra(seq)
            score = period_three_score(spectra)
            g = f.create_group("chr%02d" % (c + 1))
            g.attrs["length"] = LENGTH
            g.attrs["window"] = WINDOW
            g.create_dataset("start", data=starts)
            g.create_dataset("score", data=score.astype("f4"))
            coarse = spectra[::10]
            g.create_dataset("spectrum", data=coarse,
                             chunks=(min(512, len(coarse)), coarse.shape[1]))
            g.create_dataset("coding", data=(score > 6.0).astype("i1"),
                             chunks=(len(score),), compression="gzip",
                             compression_opts=4)
            found += int((score > 6.0).sum())
            f.flush()
    print("chromosomes %d  coding windows %d" % (N_CHROM, found))


if __name__ == "__main__":
    main()
