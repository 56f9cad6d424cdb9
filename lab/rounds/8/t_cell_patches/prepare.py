import numpy as np
rng = np.random.default_rng(11)
y, x = np.mgrid[0:2048, 0:2048].astype(np.float32)
with open("slides.raw", "wb") as f:
    for k in range(6):
        img = 400 + 40 * np.sin(x / (17 + k)) * np.cos(y / (23 + 2 * k))
        img += rng.normal(0, 15, img.shape)
        f.write(img.astype("<u2").tobytes())
