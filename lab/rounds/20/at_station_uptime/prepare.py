import sys, random
n = int(sys.argv[1])
random.seed(4)
with open("gaps.log", "w") as f:
    for i in range(n):
        f.write("2024-%02d-%02dT%02d:%02d:00 NZ.ST%02d.%02d.HH%s gap=%d reason=%s\n" % (
            random.randint(1, 12), random.randint(1, 28), random.randint(0, 23), random.randint(0, 59), random.randint(1, 12),
            random.choice((10, 20)), random.choice("ZNE"), random.randint(1, 4000), random.choice(("telemetry", "power", "clock"))))
with open("uptime.conf", "w") as f:
    f.write("min_gap 30\nperiod 31622400\n")
