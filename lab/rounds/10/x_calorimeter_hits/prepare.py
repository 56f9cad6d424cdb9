"""Synthetic calorimeter run: event headers followed by their hits."""
import random
import struct

rng = random.Random(4711)
header = struct.Struct("<IHH")
hit = struct.Struct("<HHff")
with open("run0421.raw", "wb") as out:
    for event in range(65000):
        n = rng.randrange(12, 36)
        energy = 20.0 + 60.0 * rng.random()
        start = rng.randrange(4, 12)
        out.write(header.pack(event, n, event % 3))
        block = bytearray()
        for k in range(n):
            layer = start + k // 3
            cell = 500 + (event * 37 + k * 11) % 64
            block += hit.pack(layer, cell, energy / (k + 1), 2.0 + 0.08 * layer)
        out.write(block)
