"""Build a run table from the headers of spectrometer acquisition logs and group the runs by setting."""
import collections
import csv
import os
import sys

import numpy as np

LOG_DIR = "runs"
FIELDS = ["run", "operator", "exposure_s", "slit_um", "grating", "detector_K", "wavelength_nm"]


def header_of(path):
    with open(path) as fh:
        lines = fh.readlines()
    info = {}
    for line in lines[:16]:
        if not line.startswith("#"):
            break
        if "=" in line:
            key, value = line[1:].split("=", 1)
            info[key.strip()] = value.strip()
    info["columns"] = 4
    return info


def dispersion(info):
    groove = float(info["grating"])
    wl = float(info["wavelength_nm"]) * 1e-9
    angle = np.arcsin(min(0.99, groove * 1e3 * wl / 2))
    return float(np.cos(angle) / (groove * 1e3) * 1e9)


def group_runs(table):
    groups = collections.defaultdict(list)
    for row in table:
        groups[(row["grating"], row["slit_um"])].append(row)
    summary = []
    for (grating, slit), rows in sorted(groups.items()):
        temps = np.array([float(r["detector_K"]) for r in rows])
        exposure = sum(int(r["exposure_s"]) for r in rows)
        disp = np.mean([dispersion(r) for r in rows])
        summary.append((grating, slit, len(rows), exposure, temps.mean(), disp))
    return summary


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else LOG_DIR
    table = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".log"):
            table.append(header_of(os.path.join(folder, name)))
    with open("run_table.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS + ["columns"])
        writer.writeheader()
        writer.writerows(table)
    for row in group_runs(table):
        print("grating %s slit %s: %d runs, %d s, %.3f K, %.3f nm" % row)


if __name__ == "__main__":
    main()
