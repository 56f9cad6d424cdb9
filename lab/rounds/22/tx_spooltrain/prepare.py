import json, random
rng = random.Random(2212)
good = ["fine", "lovely", "superb", "friendly", "clean"]
poor = ["dirty", "noisy", "rude", "broken", "awful"]
rest = ["the", "room", "was", "and", "breakfast", "view", "staff", "we", "stayed", "hotel", "a", "in"]
with open("reviews.jsonl", "w") as f:
    for _ in range(5000):
        y = rng.random() < 0.5
        toks = [rng.choice((good if y else poor) if rng.random() < 0.2 else rest) for _ in range(30)]
        f.write(json.dumps({"text": " ".join(toks), "label": int(y)}) + "\n")
