import random
random.seed(12)
with open("reads.fa", "w") as f:
    for i in range(66000):
        f.write(f">r{i} chr{random.randint(1,5)}\n{''.join(random.choices('ACGT', weights=(3,2,2,3), k=76))}\n")
