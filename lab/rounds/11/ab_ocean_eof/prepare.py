# weekly sea-surface temperature, 360 x 180 float32, 200 weeks; land is -999
import array, math
NX, NY, WEEKS = 360, 180, 200
pattern = [math.sin(2 * math.pi * i / NX) for i in range(NX)]
with open("sst.dat", "wb") as f:
    for w in range(WEEKS):
        season, enso = math.cos(2 * math.pi * w / 52), math.sin(2 * math.pi * w / 180)
        out = []
        for j in range(NY):
            lat = j - 89.5
            mean, s = 28 * math.cos(math.radians(lat)), -2 * math.sin(math.radians(lat)) * season
            e = enso * math.exp(-(lat / 10) ** 2)
            row = array.array("f", [mean + s + e * p for p in pattern])
            if 60 <= j < 140:
                row[40:90] = array.array("f", [-999.0] * 50)
            out.append(row.tobytes())
        f.write(b"".join(out))
