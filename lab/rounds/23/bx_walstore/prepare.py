import random
random.seed(2307)
with open("expression.tsv", "w") as f:
    f.write("#gene\tsample\ttpm\n")
    for i in range(1600):
        f.write("ENSG%08d\tS%02d\t%.4f\n" % (random.randrange(1500), random.randrange(4), random.expovariate(0.05)))
