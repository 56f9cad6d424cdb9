import os
import numpy as np
rng = np.random.default_rng(15)
os.makedirs("annotation", exist_ok=True)
fields = ["line", "pixel", "latitude", "longitude", "height", "incidenceAngle", "elevationAngle"]
for s, sw in enumerate(["iw1", "iw2", "iw3"]):
    ln, px = np.mgrid[0:140, 0:200]
    lat = 41 + ln * .013 + px * .0012 + rng.normal(0, 1e-4, ln.shape)
    lon = 12 + s + px * .006 - ln * .002
    h = 400 + 200 * np.sin(ln / 9.) * np.cos(px / 13.)
    inc = 30 + 4 * s + px * .03
    t = np.stack([ln * 140., px * 130., lat, lon, h, inc, inc * .87], -1).reshape(-1, 7)
    t = np.array([["%.9e" % v for v in row] for row in t]).astype(float)
    base = f"annotation/s1a-{sw}-slc-vv-20230601t053000"
    np.save(base + ".npy", t)
    with open(base + ".xml", "w") as f:
        f.write('<?xml version="1.0" encoding="UTF-8"?>\n<product>\n <adsHeader><missionId>S1A</missionId><swath>%s</swath></adsHeader>\n' % sw.upper())
        f.write(' <geolocationGrid>\n  <geolocationGridPointList count="%d">\n' % len(t))
        for row in t:
            f.write("   <geolocationGridPoint>\n    <azimuthTime>2023-06-01T05:30:00.000000</azimuthTime>\n"
                    + "".join(f"    <{n}>{v:.9e}</{n}>\n" for n, v in zip(fields, row)) + "   </geolocationGridPoint>\n")
        f.write("  </geolocationGridPointList>\n </geolocationGrid>\n</product>\n")
