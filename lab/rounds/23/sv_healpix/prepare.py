import random, math
r = random.Random(235)
with open("sources.csv", "w") as f:
    f.write("source_id,ra,dec,g,r,i,flags\n")
    for k in range(95000):
        dec = math.degrees(math.asin(r.uniform(-1, 1)))
        if r.random() < .002:
            f.write(f"{k},nan?,{dec:.6f},,,,\n")
        else:
            g = r.uniform(15, 22)
            f.write(f"{k},{r.uniform(0, 360):.6f},{dec:.6f},{g:.3f},{g - .4:.3f},{g - .6:.3f},{r.randint(0, 7)}\n")
