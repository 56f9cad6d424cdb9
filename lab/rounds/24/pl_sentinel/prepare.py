import random
random.seed(14)
with open("latency.log", "w") as f:
    f.write("# service ms\n")
    for i in range(60000):
        f.write(f"{random.choice(('auth','cart','search','mail'))} {random.lognormvariate(3,0.6):.3f}\n")
