# reference library: 60000 reflectance spectra, 512 bands, float32
import array, os, random
rng = random.Random(1907)
block = array.array("f")
for species in range(250):
    level = rng.uniform(0.2, 0.6)
    for band in range(512):
        level += rng.gauss(0.0, 0.012) + 0.02 * (0.4 - level)
        block.append(level)
raw = block.tobytes()
with open("reflectance.lib", "wb") as f:
    for genus in range(240):
        cut = 4 * rng.randrange(len(block))
        f.write(raw[cut:] + raw[:cut])
    f.flush()
    os.fsync(f.fileno())
    os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
