"""Monthly report for a network of weather stations.

usage: before.py N_STATIONS            all stations, then the network summary
       before.py --station ID OUTFILE  one station
"""
import csv
import json
import math
import os
import subprocess
import sys
import numpy as np
import numpy.polynomial
import numpy.ma

HOURS = 24 * 30


def synthetic_record(station):
    rng = np.random.default_rng(1000 + station)
    hours = np.arange(HOURS)
    temp = (11.0 + 0.2 * station
            + 5.0 * np.sin(2 * np.pi * (hours - 9) / 24)
            + rng.normal(0.0, 1.2, HOURS))
    rain = np.where(rng.random(HOURS) > 0.93, rng.gamma(1.4, 1.1, HOURS), 0.0)
    return temp, rain


def station_report(station):
    temp, rain = synthetic_record(station)
    daily = temp.reshape(-1, 24)
    trend = np.polynomial.polynomial.polyfit(np.arange(len(daily)), daily.mean(axis=1), 1)
    masked = np.ma.masked_less_equal(rain, 0.0)
    return {
        "station": station,
        "mean": round(float(temp.mean()), 4),
        "tmin": round(float(daily.min(axis=1).mean()), 4),
        "tmax": round(float(daily.max(axis=1).mean()), 4),
        "trend": round(float(trend[1]), 6),
        "rain": round(float(rain.sum()), 4),
        "wet_rate": round(float(masked.mean()), 4),
    }


def run_station(station, outdir):
    outfile = os.path.join(outdir, "st_%03d.json" % station)
    subprocess.run([sys.executable, os.path.abspath(__file__),
                    "--station", str(station), outfile], check=True)
    with open(outfile) as f:
        return json.load(f)


def network_summary(reports):
    means = [r["mean"] for r in reports]
    centre = sum(means) / len(means)
    spread = math.sqrt(sum((m - centre) ** 2 for m in means) / len(means))
    wettest = max(reports, key=lambda r: r["rain"])
    return centre, spread, wettest["station"]


def main():
    if sys.argv[1] == "--station":
        report = station_report(int(sys.argv[2]))
        with open(sys.argv[3], "w") as f:
            json.dump(report, f)
        return
    n_stations = int(sys.argv[1])
    outdir = "station_out"
    os.makedirs(outdir, exist_ok=True)
    reports = [run_station(s, outdir) for s in range(n_stations)]
    with open("network.csv", "w", newline="") as f:
        table = csv.DictWriter(f, fieldnames=list(reports[0]))
        table.writeheader()
        table.writerows(reports)
    centre, spread, wettest = network_summary(reports)
    print("network mean %.4f spread %.4f wettest %d" % (centre, spread, wettest))


if __name__ == "__main__":
    main()
