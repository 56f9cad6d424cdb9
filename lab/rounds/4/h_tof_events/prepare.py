"""Event stream of a time-of-flight detector."""
import struct
import numpy as np

N_PULSES = 240000

rng = np.random.default_rng(4)
counts = rng.integers(1, 7, N_PULSES)
arrivals = rng.gamma(4.0, 900.0, int(counts.sum())).astype(np.uint32)
pixels = rng.integers(0, 1024, int(counts.sum())).astype(np.uint32)
hits = np.stack([arrivals, pixels], axis=1)
with open("events.tof", "wb") as out:
    out.write(b"TOF2" + struct.pack("<I", N_PULSES))
    position = 0
    for pulse, count in enumerate(counts.tolist()):
        out.write(struct.pack("<IHH", pulse, count, 0xA5A5))
        out.write(hits[position:position + count].tobytes())
        position += count
