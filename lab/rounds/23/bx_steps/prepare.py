import random
random.seed(2316)
with open("samples.txt", "w") as f:
    for i in range(8):
        f.write("tumor%02d\t%d\n" % (i, random.randrange(1 << 20)))
