# shear velocity anomalies of a block of mantle, float32, 256 x 256 x 256 (z slowest)
import array
import math

N = 256
planes = []
for p in range(8):
    plane = array.array("f")
    for y in range(N):
        for x in range(N):
            plane.append(0.01 * math.sin(0.05 * x + p) * math.cos(0.04 * y - p))
    planes.append(plane.tobytes())
with open("mantle.f32", "wb") as f:
    for z in range(N):
        f.write(planes[z % 8])
