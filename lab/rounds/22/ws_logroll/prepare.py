import random
r = random.Random(42)
ips = ["10.%d.%d.%d" % (r.randint(0, 255), r.randint(0, 255), r.randint(1, 254)) for i in range(60)]
ag = ["Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101", "curl/8.1", "python-requests/2.31", "Mozilla/5.0 (compatible; Examplebot/2.1)"]
with open("access.log", "w") as f:
    for d in range(1, 9):
        for i in range(20000):
            p = r.choice(("/radar/%s/202405%02d/%02d%02d.png" % (r.choice(("dx", "rx", "wx")), d, i // 840, i % 12 * 5),
                "/forecast/icon_v%d.json" % r.randint(1, 3), "/gauge/%d/level?d=%d" % (r.randint(1000, 9999), d), "/css/a.css", "/"))
            f.write('%s - - [%02d/May/2024:%02d:%02d:%02d +0000] "GET %s HTTP/1.1" %d %d "-" "%s"\n' % (
                r.choice(ips), d, i * 24 // 20000, i % 60, i % 59, p, r.choice((200, 200, 200, 304, 404)), r.randint(100, 90000), r.choice(ag)))
        f.write("garbage\n")
