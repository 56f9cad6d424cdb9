import sys, random
n = int(sys.argv[1])
random.seed(6)
pool = ["%.4f|%.4f|%.1f|%.1f|%s" % (random.uniform(-45, -36), random.uniform(168, 178), random.uniform(1, 200), 1 + random.expovariate(2.0), random.choice(("GNS", "WEL", "AUT", "MAN"))) for _ in range(20000)]
with open("events.psv", "w") as f:
    f.write("#EventID|Time|Latitude|Longitude|Depth|Magnitude|Author\n")
    for i in range(n):
        f.write("%d|2023-%02d-%02dT%02d:%02d|%s\n" % (1000000 + (i * 7919) % n, i % 12 + 1, i % 28 + 1, i % 24, i % 60, pool[(i * 31) % 20000]))
with open("bins.conf", "w") as f:
    f.write("width=0.5\nkeep=2.0\n")
