import random
import struct
import zlib

rng = random.Random(3)
CONS, VOW = "ptkmnslrvh", "aeiou"


def stem():
    return "".join(rng.choice(CONS) + rng.choice(VOW) for _ in range(rng.randint(1, 3)))


nouns = [stem() for _ in range(400)]
verbs = [stem() for _ in range(200)]
index = []
with open("corpus.bin", "wb") as f:
    for k in range(8000):
        label = rng.randrange(2)
        words = []
        for _ in range(rng.randint(3, 8)):
            s, o, v = rng.choice(nouns) + "m", rng.choice(nouns) + "n", rng.choice(verbs) + "st"
            if rng.random() < 0.15:
                s, o = o, s
            words += [s, o, v] if label else [s, v, o]
        raw = zlib.compress(" ".join(words).encode())
        index.append((f.tell(), len(raw), label))
        f.write(raw)
with open("corpus.idx", "wb") as f:
    for entry in index:
        f.write(struct.pack("<qii", *entry))
