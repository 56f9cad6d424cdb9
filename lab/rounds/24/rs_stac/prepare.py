import json
import random
r = random.Random(14)
bands = ["B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B8A", "B09", "B11", "B12", "SCL", "visual"]
with open("sentinel-2-l2a.ndjson", "w") as f:
    for k in range(42000):
        id = f"S2{'AB'[k % 2]}_{r.randint(29,33)}T{r.choice('NPQR')}{r.choice('ABCDEFG')}_2023{r.randint(1,12):02d}{r.randint(1,28):02d}_{k}"
        x, y = r.uniform(-10, 20), r.uniform(35, 60)
        g = [[round(x + dx, 6), round(y + dy, 6)] for dx, dy in ((0, 0), (1.4, .02), (1.41, .99), (.01, 1), (0, 0))]
        f.write(json.dumps({"type": "Feature", "stac_version": "1.0.0", "id": id,
            "properties": {"datetime": "2023-06-01T10:56:21Z", "platform": "sentinel-2", "gsd": 10,
                "eo:cloud_cover": round(r.betavariate(.5, .8) * 100, 6), "proj:epsg": 32629,
                "s2:nodata_pixel_percentage": round(r.random(), 6), "view:sun_elevation": round(r.uniform(20, 70), 5)},
            "geometry": {"type": "Polygon", "coordinates": [g]}, "bbox": g[0] + g[2],
            "assets": {b: {"href": f"https://example.org/s2/{id}/{b}.tif", "type": "image/tiff", "gsd": 10, "proj:shape": [10980, 10980],
                           "proj:transform": [10, 0, 499980, 0, -10, 4700040], "roles": ["data", "reflectance"]} for b in bands}}) + "\n")
