import os
import pickle
import random
r = random.Random(17)
os.makedirs("speclib", exist_ok=True)
mats = ["kaolinite", "calcite", "green_grass", "dry_grass", "asphalt", "snow"]
index = []
for s in range(12):
    shard = []
    for k in range(160):
        m = r.randrange(6)
        spec = [round(.1 + .1 * m + .05 * ((b * (m + 2)) % 17) / 17 + r.gauss(0, .03), 6) for b in range(220)]
        shard.append({"id": f"{s:02d}-{k:03d}", "material": mats[m], "spectrum": spec, "site": {"lat": r.random(), "lon": r.random(), "tags": ["field", "asd"]}})
        index.append((f"spectra_{s:03d}.pkl", k))
    with open(f"speclib/spectra_{s:03d}.pkl", "wb") as f:
        pickle.dump(shard, f)
with open("speclib/index.pkl", "wb") as f:
    pickle.dump({"materials": mats, "items": index}, f)
