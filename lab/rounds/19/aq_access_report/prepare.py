import random
random.seed(21)
svcs = ["orders", "users", "stock", "billing", "search"]
with open("access.log", "w") as f:
    for i in range(100):
        s = random.choice(svcs)
        code = random.choice([200] * 12 + [404, 500, 503])
        q = random.choice(["", "?page=2", "?lang=en"])
        f.write(f"2024-03-01T10:{i // 60:02d}:{i % 60:02d} 10.0.0.{random.randrange(250)} GET /api/{s}/{random.randrange(999)}{q} {code} {random.randrange(200, 90000)} {random.randrange(5, 1200)}\n")
