# Raman map: one spectrum of 1024 uint16 counts per pixel, in 4096-byte slots (2 repeats).
import random

random.seed(5)
WIDTH, HEIGHT = 250, 180
with open("map.raw", "wb") as f:
    for row in range(HEIGHT):
        block = random.randbytes(4096 * 50)
        for part in range(WIDTH // 50):
            f.write(block)
