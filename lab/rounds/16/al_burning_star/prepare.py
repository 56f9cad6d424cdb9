# Reaction rate modules of a small nuclear network and the folders of the site installation.
import os

REACTIONS = [("p_p", 4.0e-15, 3.380, -2 / 3), ("he3_he3", 5.96e10, 12.277, -2 / 3),
             ("he3_he4", 5.61e6, 12.826, -2 / 3), ("c12_p", 2.04e7, 13.690, -2 / 3),
             ("n14_p", 4.90e7, 15.228, -2 / 3), ("n15_p", 1.08e12, 15.251, -2 / 3),
             ("o16_p", 1.50e8, 16.692, -2 / 3), ("be7_p", 3.11e5, 10.262, -2 / 3)]
for k in range(24):
    os.makedirs("site/pack_%02d" % k)
os.makedirs("rates")
for name, a, b, c in REACTIONS:
    with open("rates/rate_%s.py" % name, "w") as f:
        f.write('"""Reaction %s, analytic fit."""\nimport math\n\n' % name)
        f.write("A, B, C = %g, %g, %g\n\n\n" % (a, b, c))
        f.write("def rate(t9):\n    return A * t9 ** C * math.exp(-B * t9 ** (-1.0 / 3.0))\n\n\n")
        f.write("def slope(t9):\n    return C + B / 3.0 * t9 ** (-1.0 / 3.0)\n")
