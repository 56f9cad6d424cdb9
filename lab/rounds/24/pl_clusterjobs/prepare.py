import random
random.seed(6)
for s in ("liver", "heart", "brain", "lung"):
    with open(f"{s}.counts.txt", "w") as f:
        for g in range(230000):
            f.write(f"G{g:05d} {int(random.expovariate(0.02))}\n")
