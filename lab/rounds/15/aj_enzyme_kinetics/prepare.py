"""Contributed rate laws: 48 lab directories, the laws used sit in the later ones."""
import os

BODY = '''"""Rate law: {name}."""
VMAX = 1.0
KM = 1.0
turned_over = 0.0


def setup(vmax, km):
    global VMAX, KM, turned_over
    VMAX, KM, turned_over = vmax, km, 0.0


def rate(s, p):
    return {expr}
'''
LAWS = {
    "michaelis": "VMAX * s / (KM + s)",
    "uncompetitive": "VMAX * s / (KM + s * (1 + p / 6.0))",
    "hill": "VMAX * s ** 1.8 / (KM ** 1.8 + s ** 1.8)",
    "product_inhibition": "VMAX * s / (KM * (1 + p / 3.0) + s)",
    "substrate_inhibition": "VMAX * s / (KM + s + s * s / 20.0)",
    "ping_pong": "VMAX * s / (KM + 1.4 * s)",
    "haldane": "VMAX * (s - p / 50.0) / (KM + s + p / 4.0) if s > p / 50.0 else 0.0",
    "competitive": "VMAX * s / (KM * 1.7 + s)",
}
names = list(LAWS)
for lab in range(48):
    d = f"models/lab{lab:02d}"
    os.makedirs(d)
    for k in range(10):
        with open(f"{d}/draft_{lab:02d}_{k}.py", "w") as f:
            f.write(BODY.format(name=f"draft {k}", expr="VMAX * s / (KM + s)"))
    if lab >= 40:
        name = names[lab - 40]
        with open(f"{d}/{name}.py", "w") as f:
            f.write(BODY.format(name=name, expr=LAWS[name]))
