import random
random.seed(2318)
with open("access.log", "w") as f:
    for i in range(1300):
        f.write('10.0.%d.%d - - [02/Mar/2024:10:%02d:%02d +0000] "GET /api/v1/sample/%d HTTP/1.1" %d %d\n' % (
            random.randrange(4), random.randrange(250), i // 60 % 60, i % 60, random.randrange(5000),
            random.choice((200, 200, 200, 304, 404, 500)), random.randrange(100, 90000)))
