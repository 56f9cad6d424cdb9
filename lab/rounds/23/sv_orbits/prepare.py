import json, math, random
r = random.Random(248)
jobs = []
for k in range(56):
    st, ob = [], []
    for _ in range(60):
        a, p = r.uniform(2.1, 3.3), r.uniform(0, 6.28)
        v = math.sqrt(2.959122082855911e-4 / a)
        st.append([a * math.cos(p), a * math.sin(p), 0.0, -v * math.sin(p), v * math.cos(p), r.gauss(0, 1e-4)])
        q = p + 300 * v / a + r.gauss(0, .01)
        ob.append([a * math.cos(q), a * math.sin(q), 0.0])
    jobs.append({"id": k, "span": 300.0, "states": st, "observed": ob})
json.dump(jobs, open("tracklets.json", "w"))
