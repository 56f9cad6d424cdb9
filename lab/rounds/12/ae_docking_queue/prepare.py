"""Job tickets for the ligands."""
import os
import random

random.seed(2)
os.mkdir("queue")
for i in range(3000):
    with open(f"queue/lig{i:05d}.todo", "w") as f:
        f.write(f"{random.randrange(1 << 30)}\n")
