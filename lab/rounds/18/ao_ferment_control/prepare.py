# The set points of the fermenting cellar and the recipe of the wort.
with open("setpoints.txt", "w") as f:
    f.write("# hour  celsius\n")
    for hour, celsius in ((0, 12.0), (24, 13.5), (60, 14.5), (96, 16.0), (120, 4.0)):
        f.write(f"{hour} {celsius}\n")
with open("wort.txt", "w") as f:
    f.write("sugar 118.0\nyeast 0.6\nnitrogen 0.21\noxygen 0.009\n")
