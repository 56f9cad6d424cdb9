import os, random
random.seed(14)
os.mkdir("run")
samples = [f"PT{random.randrange(10**6):06d}" for _ in range(500)]
samples = sorted(set(samples))
k = 0
for s in samples:
    for lane in range(1, random.randint(3, 8)):
        for rd in (1, 2):
            k += 1
            with open(f"run/{s}_S{k}_L00{lane}_R{rd}_001.stats", "w") as f:
                f.write(f"reads {random.randrange(10**5, 10**6)}\nq30 {random.uniform(.8,.97):.4f}\n")
with open("samples.txt", "w") as f: f.write("\n".join(samples) + "\n")
