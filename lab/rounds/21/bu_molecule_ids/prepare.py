import random
random.seed(31)
for w in range(4):
    with open(f"shard{w}.umi", "w") as f:
        for i in range(140000): f.write("".join(random.choices("ACGT", k=12)) + "\n")
