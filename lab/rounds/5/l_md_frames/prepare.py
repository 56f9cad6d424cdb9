import os

os.makedirs("frames", exist_ok=True)
for i in range(4000):
    with open("frames/frame_%06d.npy" % i, "wb") as f:
        f.write(b"\x93NUMPY")
