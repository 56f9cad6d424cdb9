import random
random.seed(2)
with open("usage.txt", "w") as f:
    for i in range(900):
        f.write(f"{random.randrange(300)} {random.randrange(1, 600)} {random.randrange(6)}\n")
