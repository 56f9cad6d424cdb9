import sqlite3, random
random.seed(9)
import numpy as np
r = np.random.default_rng(9)
N = 36000
b = np.frombuffer(b"ACGT", np.uint8)
fam = ["Bacillaceae","Vibrionaceae","Nostocaceae","Rhizobiaceae","Clostridiaceae"]
db = sqlite3.connect("silva.db")
db.execute("CREATE TABLE ref (seq TEXT, lineage TEXT, acc TEXT, len INTEGER)")
accs = []
def rows():
    for i in range(N):
        L = int(r.integers(1300, 1600)); a = f"AB{(i*7919)%1000003:07d}.1"; accs.append(a)
        yield (b[r.integers(0, 4, L)].tobytes().decode(), "Bacteria;" + fam[i % 5] + f";g{i%700}", a, L)
db.executemany("INSERT INTO ref VALUES (?,?,?,?)", rows())
db.commit(); db.close()
with open("hits.txt", "w") as f:
    for a in random.sample(accs, 36): f.write(f"{a}\t{random.randint(1,5000)}\n")
