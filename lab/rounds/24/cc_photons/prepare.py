import math
with open("tissue.nml", "w") as f:
    f.write("&optics\n nphoton = 1600000\n mua = 0.12\n mus = 9.5\n g = 0.87\n nlayer = 40\n/\n")
with open("spectrum.txt", "w") as f:
    f.write("# wavelength weight\n")
    for i in range(4000):
        f.write("%8.2f %12.6f\n" % (400 + i * 0.1, 1 + math.sin(i * 0.01) ** 2))
