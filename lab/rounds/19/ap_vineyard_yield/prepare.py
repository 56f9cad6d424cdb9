import os, json, random
random.seed(6)
os.makedirs("plots", exist_ok=True)
for b in "ABCDEF":
    os.makedirs("plots/" + b, exist_ok=True)
    for i in range(30):
        vines = [{"row": r, "vine": v, "clusters": random.randint(8, 40), "kg": round(random.uniform(.8, 4.5), 2)}
                 for r in range(4) for v in range(10)]
        with open("plots/%s/plot%03d.json" % (b, i), "w") as f:
            json.dump({"block": b, "plot": i, "trellis": random.choice(["VSP", "Lyre", "Guyot"]), "vines": vines}, f)
