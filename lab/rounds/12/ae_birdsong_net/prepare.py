"""Labelled song snippets: 24 x 40 mel spectrogram (float32) and a species number each."""
import array
import math
import random
import struct

random.seed(21)
N, NF, NT, NSP = 16000, 24, 40, 8
protos = []
for s in range(NSP):
    for v in range(12):
        f0, chirp = 3 + 2 * s, random.uniform(-6, 6)
        img = array.array("f")
        for f in range(NF):
            for t in range(NT):
                ridge = f0 + chirp * t / NT + math.sin(t * (0.2 + 0.05 * s))
                img.append(math.exp(-((f - ridge) / 1.5) ** 2) + random.gauss(0, 0.3))
        protos.append((s, img.tobytes()))
with open("snippets.mel", "wb") as out:
    for i in range(N):
        s, img = random.choice(protos)
        out.write(struct.pack("<i", s) + img)
