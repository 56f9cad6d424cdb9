import random
random.seed(24)
N = 165
with open("calls.vcf", "w") as f:
    f.write("##fileformat=VCFv4.2\n##source=callerX\n")
    f.write('##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth">\n')
    f.write("#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n")
    for c in range(1, 6):
        p = 1000
        for i in range(N // 5):
            p += random.randint(20, 4000)
            r, a = random.sample("ACGT", 2)
            dp = random.randint(5, 120)
            ad = random.randint(0, dp)
            f.write(f"chr{c}\t{p}\t.\t{r}\t{a}\t{random.randint(5,90)}.{random.randint(0,9)}\tPASS\tDP={dp};AD={ad};MQ={random.randint(20,60)}\n")
with open("samples.tsv", "w") as f:
    f.write("sample\tploidy\nS1\t2\n")
