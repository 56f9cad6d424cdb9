import random
random.seed(31)
with open("basket.txt", "w") as f:
    for i in range(200):
        f.write(f"SKU-{i:05d}-{random.randrange(100)} {random.randrange(1, 9)}\n")
