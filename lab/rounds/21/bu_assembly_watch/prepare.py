import random
random.seed(52)
with open("frags.txt", "w") as f:
    for i in range(7800): f.write("".join(random.choices("ACGT", k=60)) + "\n")
