import numpy as np
from PIL import Image
rng = np.random.default_rng(25)
y, x = np.mgrid[0:640, 0:640]
a = (80 + 60 * ((x // 64 + y // 80) % 2)) * rng.gamma(5, .2, (640, 640))
Image.fromarray(np.clip(a, 0, 255).astype(np.uint8)).save("S1_quicklook_vv.png")
