import os, random
r = random.Random(51)
os.mkdir("inbox")
for i in range(70):
    t = 1714500000 + r.randint(0, 3 * 86400)
    body = r.randbytes(r.randint(104000, 160000))
    h = "SAT=MSG%d PROD=%s TIME=%d SIZE=" % (r.randint(3, 4), r.choice(("HRV", "IR108", "WV62", "VIS06")), t)
    size = len(h) + 7 + len(body) + (i % 17 == 4)
    with open("inbox/L-%05d-seg%03d.seg" % (i, r.randint(0, 999)), "wb") as f:
        f.write(("%s%06d\n" % (h, size)).encode() + body)
