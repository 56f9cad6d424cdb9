import csv
import random
import sys

n = int(sys.argv[1])
random.seed(5)
species = ["blackcap", "dunlin", "robin", "swift"]
with open("ringings.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["ring", "species", "lat", "lon", "day"])
    for i in range(n * 160):
        w.writerow([f"DE{i:06d}", random.choice(species), 47 + 7 * random.random(), 6 + 9 * random.random(), i % 900])
with open("recoveries.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["ring", "lat", "lon", "day"])
    for i in range(n):
        w.writerow([f"DE{random.randrange(n * 160 + 3000):06d}", 30 + 30 * random.random(), 20 * random.random(), 900 + i % 600])
