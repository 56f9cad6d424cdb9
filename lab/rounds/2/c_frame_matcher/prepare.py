import os, random, struct

random.seed(8)
os.makedirs("frames")
for i in range(1500):
    t = 1000 + 40 * i + random.randrange(20)
    with open(f"frames/cam_{t:07d}.pos", "wb") as f:
        f.write(struct.pack("<3d", random.random(), random.random(), 50 + random.random()))
