# synthetic photometer log of a Photinus carolinus display (nights.log)
import random, struct
random.seed(1871)
rec = struct.Struct("<dffHHf")
nights = []
for n in range(4):
    t, out = 0.0, []
    for i in range(50000):
        burst = i % 6
        t += 0.5 if burst else 7.4
        jitter = random.gauss(0.0, 0.06)
        out.append(rec.pack(t + jitter, random.uniform(0, 60), random.uniform(0, 40),
                            random.randrange(12), random.randrange(4), random.expovariate(1.3)))
    nights.append(b"".join(out))
with open("nights.log", "wb") as f:
    for k in range(44):
        f.write(nights[k % 4])
