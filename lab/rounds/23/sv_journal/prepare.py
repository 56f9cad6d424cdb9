import math, random
r = random.Random(245)
with open("lightcurves.csv", "w") as f:
    f.write("star,mjd,mag,err\n")
    for s in range(64):
        p, a = r.uniform(.3, 20), r.uniform(.05, .6)
        for t in sorted(r.uniform(61000, 61200) for _ in range(160)):
            f.write(f"V{s:04d},{t:.5f},{15 + a * math.sin(2 * math.pi * t / p) + r.gauss(0, .05):.4f},0.05\n")
