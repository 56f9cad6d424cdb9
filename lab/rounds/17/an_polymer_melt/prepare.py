# Parameters of the bead-spring run.
with open("melt.par", "w") as f:
    f.write("# bead-spring chains\nchains 60\nbeads 64\nsweeps 1800\nevery 60\n"
            "temperature 1.0\nspring 3.0\nreach 0.9\n")
