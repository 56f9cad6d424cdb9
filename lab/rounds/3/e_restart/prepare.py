import os

os.makedirs("archive", exist_ok=True)
for k in range(2600):
    with open(f"archive/spinup_{k:06d}.fld", "w") as fh:
        fh.write("0\n")
