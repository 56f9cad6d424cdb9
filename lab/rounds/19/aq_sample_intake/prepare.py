import random
random.seed(4)
with open("manifest.csv", "w") as f:
    f.write("barcode,od,seed\n")
    for i in range(45):
        f.write(f"TUBE{i:05d},{random.uniform(0.2, 1.9):.4f},{random.randrange(10**6)}\n")
