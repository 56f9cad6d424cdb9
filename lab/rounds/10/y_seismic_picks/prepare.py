import os
import random

rng = random.Random(11)
os.makedirs("waves", exist_ok=True)
samples = 2400000
for s in range(24):
    with open(f"waves/ST{s:02d}.i16", "wb") as f:
        f.write(rng.randbytes(2 * samples))
with open("events.csv", "w") as f:
    f.write("event,station,sample\n")
    for e in range(280):
        for s in rng.sample(range(24), 6):
            f.write(f"{e},ST{s:02d},{rng.randrange(2000, samples - 2000)}\n")
