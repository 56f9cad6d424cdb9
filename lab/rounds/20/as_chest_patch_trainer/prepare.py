import csv
import io
import sys
import zipfile

import numpy as np
from PIL import Image

n = int(sys.argv[1])
rng = np.random.default_rng(12)
rows = []
with zipfile.ZipFile("studies.zip", "w") as z:
    for i in range(n):
        y = int(rng.integers(2))
        a = rng.normal(30000 + 4000 * y, 3000, (512, 512)).clip(0, 65535).astype(np.uint16)
        b = io.BytesIO()
        Image.fromarray(a).save(b, "png", compress_level=1)
        z.writestr(f"st{i:03d}.png", b.getvalue())
        rows.append((f"st{i:03d}", y))
with open("labels.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["study", "finding"])
    w.writerows(rows)
