import random
random.seed(9)
with open("feed.csv", "w") as f:
    for i in range(2200):
        f.write(f"{1000 + i},{random.choice('BS')},{random.randrange(990, 1010)},{random.randrange(1, 50)}\n")
