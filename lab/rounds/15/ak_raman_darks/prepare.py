# dark spectra of the campaign, named by the second at which they were taken
import array
import os
import random

random.seed(532)
os.mkdir("darks")
t = 0
for k in range(1500):
    t += random.randint(20, 60)
    data = array.array("H", [random.randint(95, 110) for _ in range(64)])
    with open(f"darks/dark_{t:09d}.u16", "wb") as f:
        data.tofile(f)
