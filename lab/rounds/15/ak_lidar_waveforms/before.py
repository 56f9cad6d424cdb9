"""Full-waveform canopy lidar: simulated flight strip, then canopy heights.

The strip is stored as the digitiser does it (uint16, one waveform after the
other, in flight blocks) and evaluated in a second pass over the mapped file.
"""
import sys

import numpy as np

BLOCKS = int(sys.argv[1]) if len(sys.argv) > 1 else 24
SHOTS = 8192                    # per block
BINS = 512                      # 1 ns each
STRIP = "strip.u16"
rng = np.random.default_rng(905)


def shot_block(block):
    """Waveforms of one block: ground echo plus canopy returns."""
    bins = np.arange(BINS, dtype=np.float32)
    ground = 380.0 + 30.0 * np.sin(block / 5.0) + rng.normal(0, 3, SHOTS)
    height = rng.gamma(6.0, 18.0, SHOTS)
    cover = rng.beta(2.0, 2.0, SHOTS)
    waves = rng.integers(18, 24, size=(SHOTS, BINS), dtype=np.uint16)
    template = np.exp(-0.5 * ((bins - BINS // 2) / 4.0) ** 2)
    for amplitude, place in ((800 * (1 - cover), ground),
                             (500 * cover, ground - height),
                             (250 * cover, ground - 0.6 * height)):
        start = np.clip(place.astype(int), 16, BINS - 17)
        for off in range(-12, 13):
            waves[np.arange(SHOTS), start + off] += (amplitude * template[BINS // 2 + off]).astype(np.uint16)
    return waves


def fly(name):
    with open(name, "wb", buffering=0) as f:
        for block in range(BLOCKS):
            f.write(memoryview(shot_block(block)).cast("B"))


def canopy_height(waves):
    """Distance between the first crossing of the threshold and the last peak."""
    above = waves > 60
    first = above.argmax(axis=1)
    last = BINS - 1 - above[:, ::-1].argmax(axis=1)
    found = above.any(axis=1)
    return np.where(found, 0.15 * (last - first), np.nan)


def evaluate(name):
    strip = np.memmap(name, dtype=np.uint16, mode="r").reshape(BLOCKS, SHOTS, BINS)
    quantiles = np.empty((BLOCKS, 5))
    for block in range(BLOCKS):
        h = canopy_height(strip[block])
        quantiles[block] = np.nanquantile(h, [0.1, 0.25, 0.5, 0.75, 0.9])
    return quantiles


def main():
    fly(STRIP)
    q = evaluate(STRIP)
    np.savetxt("canopy.txt", q, fmt="%.2f", header="p10 p25 p50 p75 p90 (m)")
    print("median canopy height %.2f m" % q[:, 2].mean())


if __name__ == "__main__":
    main()
