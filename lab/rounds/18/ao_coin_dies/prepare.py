# Outlines of the obverses of a coin hoard: one file a photograph, named by catalogue number,
# side, photographer and date.
import os
import random
import struct
import math

random.seed(23)
COINS, POINTS, DIES = 2400, 96, 60
dies = [[1 + 0.25 * random.random() for _ in range(POINTS)] for _ in range(DIES)]
os.makedirs("hoard", exist_ok=True)
with open("catalogue.txt", "w") as cat:
    for coin in range(COINS):
        number = f"RH{7 * coin + 1003:06d}"
        cat.write(f"{number} {random.gauss(3.9, 0.15):.3f}\n")
        die = dies[random.randrange(DIES)]
        for side in ("obv", "rev"):
            who, day = random.choice(("mk", "lw", "tb")), random.randrange(20180101, 20181231)
            shift = random.randrange(POINTS)
            r = [die[(i + shift) % POINTS] + random.gauss(0, 0.02) for i in range(POINTS)]
            with open(f"hoard/{number}_{side}_{who}{day}.ctr", "wb") as f:
                f.write(struct.pack("<4sI", b"CTR1", POINTS) + struct.pack(f"<{POINTS}f", *r))
