import json, random
rng = random.Random(2216)
stems = ["".join(rng.choice("bcdfglmnprst") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))) for _ in range(1500)]
suf = ["", "s", "ing", "ed", "ation", "ness", "ly", "ational", "izer", "fulness"]
with open("abstracts.jsonl", "w") as f:
    for i in range(2000):
        topic = rng.sample(stems, 7)
        text = " ".join(rng.choice(topic) + rng.choice(suf) for _ in range(170))
        f.write(json.dumps({"pmid": 10000 + i, "abstract": text}) + "\n")
