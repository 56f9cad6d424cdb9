import random
random.seed(2306)
with open("fragments.bed", "w") as f:
    r = random.random
    for i in range(1_900_000):
        a = int(r() * 2e8)
        f.write("chr%d\t%d\t%d\tbc%05d\n" % (int(r() * 22) + 1, a, a + 40 + int(r() * 500), int(r() * 9000)))
