import json, random
rng = random.Random(2203)
words = ["w%03d" % i for i in range(600)]
places = ["Bergen", "Lagos", "Quito", "Pune", "Lyon", "Oslo", "Turin", "Osaka"]
with open("corpus.jsonl", "w") as f:
    for d in range(560):
        toks = [rng.choice(words) for _ in range(300)]
        if d % 3 != 2:
            toks[rng.randrange(300)] = rng.choice(places)
        if d % 2:
            toks[rng.randrange(300)] = rng.choice(places)
        f.write(json.dumps({"id": "doc%05d" % d, "text": " ".join(toks)}) + "\n")
