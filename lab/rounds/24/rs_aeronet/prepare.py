import numpy as np
rng = np.random.default_rng(12)
wl = [1640, 1020, 870, 865, 779, 675, 667, 620, 560, 555, 551, 532, 531, 510, 500, 490, 443, 440, 412, 400, 380, 340]
cols = ["Date(dd:mm:yyyy)", "Time(hh:mm:ss)", "Day_of_Year(Fraction)"] + [f"AOD_{w}nm" for w in wl] \
    + ["Precipitable_Water(cm)"] + [f"Triplet_Variability_{w}" for w in wl[:20]] \
    + ["Data_Quality_Level", "Site_Latitude(Degrees)", "Site_Longitude(Degrees)", "Solar_Zenith_Angle(Degrees)"]
assert len(cols) == 50
n = 52000
doy = np.sort(rng.uniform(1, 366, n))
with open("20230101_20231231_Evora.lev15", "w") as f:
    f.write("AERONET Version 3;\nEvora\nVersion 3: AOD Level 1.5\nThe following data are cloud cleared.\nContact: PI=nobody\nUNITS can be found at,,, https://aeronet.gsfc.nasa.gov\n")
    f.write(",".join(cols) + "\n")
    for i in range(n):
        v = rng.gamma(2.0, 0.06, 43)
        d = int(doy[i])
        s = int((doy[i] - d) * 86400)
        f.write("%02d:%02d:2023,%02d:%02d:%02d,%.6f," % (d % 28 + 1, d // 31 + 1, s // 3600, s // 60 % 60, s % 60, doy[i])
                + ",".join("%.6f" % x for x in v) + ",lev15,38.567800,-7.911500,%.6f\n" % (20 + 50 * v[0]))
