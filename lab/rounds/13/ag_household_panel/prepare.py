import random
import struct

rng = random.Random(11)
with open("panel.dat", "wb") as f:
    for i in range(60000):
        age = 20 + rng.random() * 60
        income = rng.lognormvariate(10.2, 0.5)
        wealth = income * rng.random() * 4
        debt = income * rng.random() * 2
        f.write(struct.pack("<iiddddd", i, rng.randrange(16), age, income, wealth, debt, 0.0))
