# 8000 s of a hydrophone at 2 kHz, 16 bit: noise and a 20 Hz pulse every 15 s
import array, math, random
RATE, SECONDS = 2000, 8000
rng = random.Random(20)
block = [rng.gauss(0, 300) for _ in range(15 * RATE)]
with open("hydrophone.raw", "wb") as f:
    for k in range(SECONDS // 15):
        shift = rng.randrange(15 * RATE)
        x = block[shift:] + block[:shift]
        for i in range(RATE):
            t = i / RATE
            x[4000 + i] += 900 * math.sin(2 * math.pi * (23 - 5 * t) * t) * math.sin(math.pi * t) ** 2
        f.write(array.array("h", [int(v) for v in x]).tobytes())
