import os, random
random.seed(8)
os.makedirs("members", exist_ok=True)
for k in range(60):
    with open(f"members/star_{k:03d}.ini", "w") as f:
        f.write(f"mass = {random.uniform(0.3, 2):.6f}\n")
        for a in "xyz":
            f.write(f"{a} = {random.gauss(0, 1):.8f}\nv{a} = {random.gauss(0, 0.4):.8f}\n")
