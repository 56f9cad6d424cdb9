import gzip, random
r = random.Random(52)
ids = [10001 + 13 * i for i in range(400)]
rows = []
for d in range(1, 31):
    for h in range(0, 24):
        for i in ids:
            rows.append("%05d,202405%02d%02d00,%.1f,%.1f,%.1f\n" % (i, d, h, 12 + r.gauss(0, 4), max(0, r.gauss(-2, 2)), abs(r.gauss(4, 2))))
with gzip.GzipFile("obs_202405.csv.gz", "wb", compresslevel=6, mtime=0) as f:
    f.write("".join(rows).encode())
with open("reference.lst", "w") as f:
    f.write("# climate reference stations\n")
    for k in range(22):
        f.write("%05d Ref%02d\n" % (ids[k * 17] if k != 9 else 99999, k))
