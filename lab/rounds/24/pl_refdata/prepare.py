import random
random.seed(9)
with open("contigs.txt", "w") as f:
    f.write("# name length seed\n")
    for i in range(14):
        f.write(f"ctg{i+1:02d} {random.randint(300000, 500000)} {random.randint(1, 10**6)}\n")
