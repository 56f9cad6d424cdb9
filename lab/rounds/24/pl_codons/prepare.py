import random
random.seed(15)
with open("cds.fa", "w") as f:
    for g in range(900):
        f.write(f">gene{g:04d}\nATG{''.join(random.choices('ACGT', k=3*random.randint(80,220)))}TAA\n")
