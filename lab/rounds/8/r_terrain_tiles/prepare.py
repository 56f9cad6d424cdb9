"""Write a digital elevation model as 64 x 64 tiles of 64 x 64 heights."""
import numpy as np

NT, TS = 64, 64
n = NT * TS
y = np.arange(n, dtype=np.float32)[:, None]
x = np.arange(n, dtype=np.float32)[None]
z = 900 + 300 * np.sin(x / 410) * np.cos(y / 290) + 80 * np.sin((x + 2 * y) / 37)
tiles = z.astype("<f4").reshape(NT, TS, NT, TS).swapaxes(1, 2)
with open("dem.tiles", "wb") as f:
    f.write(np.ascontiguousarray(tiles).tobytes())
