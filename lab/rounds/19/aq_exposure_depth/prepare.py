import random
random.seed(5)
def block(n):
    return "".join(f"{random.uniform(0, 1000):.4f} {random.betavariate(3, 3):.6f} {random.betavariate(3, 3):.6f} {random.expovariate(0.5):.4f}\n" for _ in range(n))
parts = [block(6000) for _ in range(5)]
with open("observing.log", "w") as log:
    for i in range(8):
        with open(f"obs{i}_deep.evt", "w") as f:
            f.write("# t x y keV\n")
            for k in range(26):
                f.write(parts[(i + k * k) % 5])
        with open(f"obs{i}_cal.evt", "w") as f:
            f.write("# t x y keV\n" + parts[i % 5])
        log.write(f"obs{i}_deep.evt 900\nobs{i}_cal.evt 50\n")
