import random, os
random.seed(5)
os.makedirs("runs/2024", exist_ok=True); os.makedirs("runs/2025", exist_ok=True)
words = [f"{random.getrandbits(40):010x}" for _ in range(3000)]
for y in (2024, 2025):
    for i in range(6):
        with open(f"runs/{y}/sample{i:02d}.sam", "w") as f:
            for k in range(5200):
                f.write(f"r{k}\t{random.choice((0,16,99,147))}\tchr{random.randint(1,22)}\t{random.randint(1,10**8)}\t60\t100M\t{random.choice(words)}{random.choice(words)}\n")
open("runs/README", "w").write("alignments of two years\n")
