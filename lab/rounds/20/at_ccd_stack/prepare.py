import sys, os, random, array
frames, pixels = int(sys.argv[1]), int(sys.argv[2])
random.seed(8)
noise = array.array("H", [random.randint(900, 1100) for _ in range(pixels + 5000)])
for k in range(frames):
    with open("frame%02d.raw" % k, "wb") as f:
        f.write(noise[k * 173 % 5000:k * 173 % 5000 + pixels].tobytes())
        f.flush()
        os.fsync(f.fileno())
with open("stack.lst", "w") as f:
    for k in range(frames):
        f.write("frame%02d.raw %.3f\n" % (k, 1 + k * 0.01))
