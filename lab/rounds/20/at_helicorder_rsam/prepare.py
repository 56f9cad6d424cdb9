import sys, random
n = int(sys.argv[1])
random.seed(11)
with open("station.slist", "w") as f:
    f.write("TIMESERIES NZ_WIZ__HHZ_D, %d samples, 100 sps, 2024-03-01T00:00:00, SLIST, INTEGER, Counts\n" % n)
    row = []
    a = 0
    for i in range(n):
        a = int(a * 0.93) + random.randint(-900, 900)
        row.append("%d" % a)
        if len(row) == 6:
            f.write("\t".join(row) + "\n")
            row = []
    if row:
        f.write("\t".join(row) + "\n")
with open("rsam.cfg", "w") as f:
    f.write("window 600\nclip 4500\nbands 8\n")
