import sys
n = int(sys.argv[1]) if len(sys.argv) > 1 else 480000
with open("plate_catalog.txt", "w") as f:
    for k in range(0, n, 1000):
        f.write("".join("%9d %12.7f %12.7f %8.4f %9.5f %9.5f\n" %
                        (k + i, (k + i) * 137.50776405 % 360.0, ((k + i) * 0.618034 % 1.0) * 180.0 - 90.0,
                         6.0 + (i % 149) * 0.1, (i % 31) * 0.01 - 0.15, (i % 29) * 0.01 - 0.14)
                        for i in range(1000)))
