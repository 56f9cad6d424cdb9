import sqlite3
import numpy as np
rng = np.random.default_rng(11)
n = 330000
users = rng.integers(0, 6000, n)
items = rng.integers(0, 40000, n)
w = rng.random(n)
con = sqlite3.connect("interactions.db")
con.execute("CREATE TABLE interactions (user_id INTEGER, item_id INTEGER, ts INTEGER, weight REAL, context BLOB)")
blob = rng.bytes(4096)
con.executemany("INSERT INTO interactions VALUES (?,?,?,?,?)",
                ((int(users[i]), int(items[i]), 1700000000 + 3 * i, float(w[i]), blob[i % 4000:i % 4000 + 48])
                 for i in range(n)))
con.commit()
con.close()
