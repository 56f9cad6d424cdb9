import os

os.makedirs("frames", exist_ok=True)
for number in range(5000):
    with open("frames/frame_%06d.pgm" % number, "wb") as out:
        out.write(b"P5\n4 4\n255\n" + bytes(16))
