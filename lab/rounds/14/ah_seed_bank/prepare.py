# inventory of the soil seed bank: one record per plot
import random, struct
rng = random.Random(404)
with open("plots.rec", "wb") as f:
    for plot in range(120000):
        f.write(struct.pack("<iiddd", plot, rng.randrange(7), rng.expovariate(1 / 300.0),
                            rng.uniform(0.2, 0.9), 0.0))
