import os
import random

random.seed(5)
FAMILIES = 100
PER_FAMILY = 60
os.makedirs("mechanism", exist_ok=True)
open("mechanism/__init__.py", "w").close()
used = []
for f in range(FAMILIES):
    d = "mechanism/family%02d" % f
    os.makedirs(d, exist_ok=True)
    open(d + "/__init__.py", "w").close()
    for r in range(PER_FAMILY):
        name = "r%04d" % (f * PER_FAMILY + r)
        a = random.uniform(0.5, 3.0)
        e = random.uniform(1.0, 6.0)
        with open("%s/%s.py" % (d, name), "w") as out:
            out.write('"""Rate law %s."""\nimport math\n\nA = %.4f\nE = %.4f\n\n\n' % (name, a, e))
            out.write("def rate(temperature):\n    return A * math.exp(-E * 1000.0 / temperature)\n\n\n")
            out.write("def describe():\n    return {'name': '%s', 'A': A, 'E': E}\n" % name)
        if random.random() < 0.003:
            used.append("family%02d.%s" % (f, name))
with open("flame.inp", "w") as out:
    out.write("temperature 1400\n")
    for u in used:
        out.write("reaction %s\n" % u)
