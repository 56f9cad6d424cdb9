import random
random.seed(8)
for lane in range(1, 5):
    with open(f"lane{lane}.fastq", "w") as f:
        for i in range(64000):
            seq = "".join(random.choices("ACGT", k=60))
            f.write(f"@L{lane}:{i}\n{seq}\n+\n{'F'*60}\n")
with open("kmers.awk", "w") as f:
    f.write('''# k-mer counts of the sequences of a FASTQ file
NR % 4 == 2 { n = length($0) - k + 1; for (i = 1; i <= n; i++) c[substr($0, i, k)]++ }
END { for (w in c) if (c[w] >= least) print w, c[w] }
''')
with open("lanes.job", "w") as f:
    f.write("# output : command\n")
    for lane in range(1, 5):
        f.write(f"lane{lane}.kmers : awk -v k=6 -v least=600 -f kmers.awk lane{lane}.fastq\n")
