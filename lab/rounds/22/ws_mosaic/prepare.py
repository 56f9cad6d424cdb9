import random
r = random.Random(24)
with open("views.txt", "w") as f:
    for i in range(160):
        f.write("%d %d %d\n" % (r.randint(0, 39), r.randint(0, 11), r.randint(3, 9)))
