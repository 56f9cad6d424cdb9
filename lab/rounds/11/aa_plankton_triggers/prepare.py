"""Makes the frame folder of the plankton camera and the trigger list."""
import os
import random

random.seed(4)
os.makedirs("frames", exist_ok=True)
stamps = random.sample(range(100000), 3000)
for s in stamps:
    with open(f"frames/cam_{s:06d}.raw", "wb") as f:
        f.write(random.randbytes(256))
with open("triggers.txt", "w") as f:
    for k in range(1500):
        # most triggers come without a picture, the camera was busy
        s = random.choice(stamps) if k % 20 == 0 else random.randrange(100000)
        f.write(f"{s}\n")
