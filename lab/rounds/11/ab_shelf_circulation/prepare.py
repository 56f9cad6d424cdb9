# wind-stress curl, one field of 1536 x 1024 doubles a day
import array, math
NX, NY, DAYS = 1536, 1024, 22
row = [math.sin(2 * math.pi * i / NX) for i in range(NX)]
field = b"".join(array.array("d", [1e-12 * math.cos(math.pi * j / NY) * r for r in row]).tobytes()
                 for j in range(NY))
with open("curl.dat", "wb") as f:
    for d in range(DAYS):
        f.write(field)
