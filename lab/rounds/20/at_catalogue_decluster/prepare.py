import sys, random
n = int(sys.argv[1])
random.seed(9)
t = 0.0
with open("catalogue.csv", "w") as f:
    f.write("id,time,lat,lon,depth,mag\n")
    for i in range(n):
        t += random.expovariate(200)
        f.write("nz%07d,%.5f,%.4f,%.4f,%.1f,%.1f\n" % (i, t, random.uniform(-42, -40), random.uniform(172, 174), random.uniform(1, 200), 2 + random.expovariate(2.3)))
