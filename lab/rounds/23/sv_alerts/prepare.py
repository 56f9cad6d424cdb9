import json, random
r = random.Random(231)
objs = [(f"ZTF26{''.join(r.choice('abcdefghij') for _ in range(7))}", r.uniform(0, 360), r.uniform(-30, 80)) for _ in range(400)]
with open("alerts.ndjson", "w") as f:
    for i in range(1200):
        o, ra, dec = r.choice(objs)
        a = {"objectId": o, "candid": 10**15 + i * 7, "publisher": "survey", "candidate": {
            "jd": 2461000.6 + i * 1.5e-4, "fid": r.randint(1, 3), "ra": ra + r.gauss(0, 3e-5), "dec": dec + r.gauss(0, 3e-5),
            "magpsf": round(r.uniform(15, 22), 3), "sigmapsf": round(r.uniform(.01, .2), 3), "rb": round(r.random() ** .4, 3),
            "nbad": 0 if r.random() < .95 else 2, "pad": [round(r.random(), 5) for _ in range(30)]}}
        s = json.dumps(a)
        f.write((s if r.random() > .003 else s[:90]) + "\n")
