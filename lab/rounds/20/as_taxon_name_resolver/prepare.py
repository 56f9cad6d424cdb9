import os
import random
import sys

n = int(sys.argv[1])
random.seed(44)
syll = ["al", "ba", "ca", "dro", "fe", "gal", "ium", "la", "mo", "ner", "pu", "ra", "so", "ta", "us", "vi"]
word = lambda k: "".join(random.choice(syll) for _ in range(k))
names = [f"{word(3).capitalize()} {word(4)}" for _ in range(350)]
open("checklist.txt", "w").write("\n".join(names))
os.makedirs("sheets")
for s in range(40):
    with open(f"sheets/plot{s:02d}.csv", "w") as f:
        f.write("spelling,cover\n")
        for _ in range(n // 40):
            a = list(random.choice(names))
            for _ in range(random.randrange(3)):
                a[random.randrange(len(a))] = random.choice("aeioust")
            f.write(f"{''.join(a)},{random.random() * 40:.2f}\n")
