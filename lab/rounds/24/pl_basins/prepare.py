import random
random.seed(3)
with open("gauges.dat", "w") as f:
    f.write("# gauge basin area_km2\n")
    for i in range(420):
        f.write(f"{i+1:5d} {random.randint(1,40):4d} {random.uniform(20,900):9.2f}\n")
