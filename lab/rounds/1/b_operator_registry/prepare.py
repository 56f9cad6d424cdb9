import compileall
import os

os.makedirs("chemops", exist_ok=True)
with open("chemops/__init__.py", "w") as f:
    f.write("REGISTRY = {}\n\ndef register(name, order):\n    def wrap(fn):\n"
            "        REGISTRY[name] = (order, fn)\n        return fn\n    return wrap\n")
families = ["photolysis", "thermal", "termolecular", "surface", "aqueous"]
for fam in families:
    os.makedirs("chemops/" + fam, exist_ok=True)
    open("chemops/%s/__init__.py" % fam, "w").close()
    for k in range(1500):
        with open("chemops/%s/r%04d.py" % (fam, k), "w") as f:
            f.write("from chemops import register\n\n")
            f.write("A = %g\nEA = %g\nN = %g\n\n" % (1e-3 * (k + 1), 200.0 + k, 0.1 * (k % 7)))
            f.write("@register('%s.r%04d', 2)\ndef rate(T, P):\n" % (fam, k))
            f.write("    return A * (T / 300.0) ** N * 2.718281828 ** (-EA / T) * P\n")
            for q in range(6):
                f.write("\n\ndef jacobian_%d(T, P):\n    'derivative %d of reaction %d'\n    return rate(T, P) * (%d / T - EA / (T * T)) + %g\n" % (q, q, k, q, 0.01 * q * k))
compileall.compile_dir("chemops", quiet=1)
