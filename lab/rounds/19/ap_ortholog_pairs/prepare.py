import random
random.seed(9)
def hits(path, q, s, n):
    with open(path, "w") as f:
        for i in range(n):
            a = random.randrange(n // 4)
            b = a if random.random() < .55 else random.randrange(n // 4)
            f.write("%s%06d\t%s%06d\t%.2f\t%d\t%.1e\t%.1f\n" % (q, a, s, b, random.uniform(25, 99), random.randint(40, 600),
                    10 ** -random.uniform(3, 120), random.uniform(40, 900)))
hits("hsa_mmu.m8", "hsa", "mmu", 190000)
hits("mmu_hsa.m8", "mmu", "hsa", 190000)
