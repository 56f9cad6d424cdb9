# A filterbank recording with a weak pulsar of period 0.7024 s.
import random
import struct

random.seed(5)
CHANNELS, SAMPLES, INTERVAL, PERIOD = 64, 600000, 0.001, 0.7024
noise = bytes(min(255, max(0, int(random.gauss(100, 12)))) for _ in range(CHANNELS * 4096))
bright = bytes(min(255, b + 9) for b in noise)
with open("scan.fil", "wb") as f:
    f.write(struct.pack("<8sIIQd", b"FILTBNK1", CHANNELS, 0, SAMPLES, INTERVAL).ljust(512, b"\0"))
    out = []
    for s in range(SAMPLES):
        k = (s * 2654435761 >> 7) % 4096 * CHANNELS
        on = (s * INTERVAL / PERIOD) % 1.0 < 0.05
        out.append((bright if on else noise)[k:k + CHANNELS])
    f.write(b"".join(out))
