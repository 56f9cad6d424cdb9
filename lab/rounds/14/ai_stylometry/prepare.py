# 18 "letters" by three authors, each with a vocabulary and habits of its own
import os, random
random.seed(1600)
os.mkdir("letters")
syl = ["ka", "ro", "mi", "ten", "sa", "lu", "ver", "no", "di", "ant", "el", "qui", "be", "or", "um"]
common = ["".join(random.choices(syl, k=random.randint(1, 3))) for _ in range(1500)]
for author in "ABC":
    own = ["".join(random.choices(syl, k=random.randint(2, 4))) for _ in range(500)]
    weights = [1 / (k + 2.7) for k in range(2000)]
    words = random.sample(common, 1500) + own
    random.shuffle(words)
    for n in range(6):
        with open("letters/%s%d.txt" % (author, n), "w") as f:
            for _ in range(1100):
                k = random.randint(6, 15)
                f.write(" ".join(random.choices(words, weights, k=k)) + random.choice([".\n", ",\n", ";\n"]))
