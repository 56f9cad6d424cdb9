"""Library overlays of the depletion code; the site has corrected one nuclide."""
import os

for d in ("overlay/user", "overlay/project", "overlay/site", "lib/jeff33", "lib/endfb80", "lib/jendl5"):
    os.makedirs(d)
    with open(d + "/README", "w") as f:
        f.write("evaluations: <nuclide>.xs with capture and fission in barn\n")
with open("lib/jendl5/Z094A255.xs", "w") as f:
    f.write("12.5 0.7\n")
