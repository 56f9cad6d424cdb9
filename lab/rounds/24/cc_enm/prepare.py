import random
random.seed(41)
N = 1000000
names = ["N", "CA", "C", "O", "CB"]
res = ["ALA", "GLY", "LEU", "LYS", "SER", "VAL", "GLU", "PHE"]
with open("capsid.pdb", "w") as f:
    f.write(("REMARK 950 NATOM %8d" % N).ljust(80) + "\n")
    f.write("REMARK 951 BIOLOGICAL ASSEMBLY, ATOM SERIALS HEXADECIMAL".ljust(80) + "\n")
    x = y = z = 100.0
    for i in range(N):
        x += random.uniform(-1.2, 1.2); y += random.uniform(-1.2, 1.2); z += random.uniform(-1.2, 1.2)
        x = min(max(x, 0), 900); y = min(max(y, 0), 900); z = min(max(z, 0), 900)
        r = res[(i // 5 * 7) % 8]
        s = "ATOM  %5X  %-3s %3s A%4d    %8.3f%8.3f%8.3f%6.2f%6.2f          %2s  " % (
            i, names[i % 5], r, i // 5 % 10000, x, y, z, 1.0, random.uniform(5, 80), names[i % 5][0])
        f.write(s[:80].ljust(80) + "\n")
