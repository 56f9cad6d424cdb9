# rate law modules as the users drop them: one folder per contributor
import os
LAWS = {
    "michaelis": "return p[0]*s/(p[1]+s)",
    "hill": "return p[0]*s**p[2]/(p[1]**p[2]+s**p[2])",
    "haldane": "return p[0]*s/(p[1]+s+s*s/p[2])",
    "moser": "return p[0]*s**p[2]/(p[1]+s**p[2])",
    "tessier": "return p[0]*(1-np.exp(-s/p[1]))",
    "contois": "return p[0]*s/(p[1]*(1+p[2]*s)+s)",
    "aiba": "return p[0]*s/(p[1]+s)*np.exp(-s/(40*p[2]))",
    "monod_two": "return p[0]*s/(p[1]+s)*s/(p[2]+s)",
}
for k in range(40):
    os.makedirs("laws/lab%02d" % k)
    for j in range(12):
        open("laws/lab%02d/notes_%02d.txt" % (k, j), "w").write("see wiki\n")
for n, (name, body) in enumerate(sorted(LAWS.items())):
    with open("laws/lab%02d/law_%s.py" % (39 - 2 * n, name), "w") as f:
        f.write('"""rate law %s"""\nimport numpy as np\nNAME = %r\n\n\ndef rate(s, p):\n    %s\n' % (name, name, body))
