import random, struct, math
random.seed(11)
NSTAR = 800000
with open("survey_epochs.bin", "wb") as f:
    f.write(b"LCV2" + struct.pack("<iii", NSTAR, 112, 0))
    note = b"CCD07/QUAD3/amp B; seeing 1.1; airmass 1.23; obs auto".ljust(80)
    rows = []
    for i in range(NSTAR):
        t = 2459000.0 + i * 0.00035
        mag = 14.2 + 0.4 * math.sin(i * 0.0019) + 0.01 * random.random()
        rows.append(struct.pack("<ddfiii", t, mag, 0.012, i % 5, (i * 7) % 64, 0) + note)
        if len(rows) == 4096:
            f.write(b"".join(rows)); rows = []
    f.write(b"".join(rows))
