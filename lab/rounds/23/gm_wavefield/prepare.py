import random, array
random.seed(8)
blk = array.array('d', [random.gauss(0, 10) for _ in range(1 << 17)]).tobytes()
with open('wavefield.bin', 'wb') as f:
    for i in range(128):
        f.write(blk)
