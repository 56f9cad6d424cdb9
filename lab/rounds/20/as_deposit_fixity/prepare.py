import hashlib
import os
import sys
import wave

import numpy as np

n = int(sys.argv[1])
rng = np.random.default_rng(31)
os.makedirs("deposit")
with open("manifest.sha256", "w") as m:
    for i in range(n):
        name = f"rec{i % 4}_{i:05d}.wav"
        with wave.open(f"deposit/{name}", "wb") as w:
            w.setparams((1, 2, 16000, 0, "NONE", ""))
            w.writeframes(rng.integers(-9000, 9000, 4000, dtype=np.int16).tobytes())
        d = hashlib.sha256(open(f"deposit/{name}", "rb").read()).hexdigest()
        if i % 97 == 5:
            d = d[::-1]
        if i % 131 == 7:
            os.unlink(f"deposit/{name}")
        m.write(f"{d} {name}\n")
