"""A filterbank-like series of 8-bit samples with a weak pulse in it."""
import random

random.seed(6)
N, PERIOD = 24_000_000, 731.37
noise = bytes(min(255, max(0, int(random.gauss(96, 20)))) for _ in range(200_003))
with open("beam.fil", "wb") as out:
    done = 0
    while done < N:
        part = bytearray(noise)
        k = int(done / PERIOD)
        while True:
            p = int(k * PERIOD) - done
            k += 1
            if p >= len(part):
                break
            for q in range(max(0, p), min(len(part), p + 12)):
                part[q] = min(255, part[q] + 9)
        out.write(part)
        done += len(part)
