import random
r = random.Random(234)
ref = [(r.uniform(10, 60), r.uniform(-5, 5), r.uniform(14, 21)) for _ in range(60000)]
with open("reference.csv", "w") as f:
    f.write("id,ra,dec,mag\n")
    for i, (a, d, m) in enumerate(ref):
        f.write(f"{700000 + i},{a:.7f},{d:.7f},{m:.3f}\n")
with open("detections.csv", "w") as f:
    f.write("det,ra,dec,mag\n")
    for k in range(10000):
        if r.random() < .85:
            a, d, m = r.choice(ref)
            a += r.gauss(0, .0001); d += r.gauss(0, .0001)
        else:
            a, d, m = r.uniform(10, 60), r.uniform(-5, 5), 20.
        f.write(f"{k},{a:.7f},{d:.7f},{m + r.gauss(0, .1):.3f}\n")
