import os, random
random.seed(11)
os.makedirs("hauls", exist_ok=True)
taxa = ["Calanus", "Oithona", "Acartia", "Temora", "Ceratium", "Chaetoceros", "Noctiluca", "Limacina"]
for h in range(7):
    with open("hauls/haul_%02d.tsv" % h, "w") as f:
        f.write("# station ST%02d depth %d volume %.1f\n" % (h % 5, random.randint(5, 80), random.uniform(5, 40)))
        for k in range(14):
            f.write("%s\t%s\t%d\t%.2f\n" % (random.choice(taxa), random.choice(["C1", "C3", "C5", "ad"]),
                                            random.randint(1, 400), random.uniform(.1, 3.2)))
