import array, math

NX, NY, NMONTH = 360, 180, 12
out = open('climatology.bin', 'wb')
for field in range(2):
    for month in range(NMONTH):
        season = math.cos(2 * math.pi * month / 12)
        for j in range(NY):
            base = 25 - abs(j - 90) * 0.4 + season * (j - 90) * 0.1 + field
            out.write(array.array('d', [base + 0.01 * (i % 37) for i in range(NX)]).tobytes())
out.close()
