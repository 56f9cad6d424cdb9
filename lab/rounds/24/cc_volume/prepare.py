import array, math, os, random, struct
os.makedirs("mpilib", exist_ok=True)      # mpi4py wheels look for MPICH under its ABI name
os.symlink("/usr/lib/x86_64-linux-gnu/libmpich.so.12", "mpilib/libmpi.so.12")
n = 192
random.seed(8)
noise = [random.gauss(0, 0.3) for _ in range(50021)]
cols = [math.cos(0.07 * i) for i in range(n)]
at = 0
with open("tomogram.raw", "wb") as f:      # n slices of n x n float32, header of 64 bytes
    f.write(b"VOL1" + struct.pack("<3i", n, n, n) + bytes(48))
    for k in range(n):
        s = array.array("f")
        for j in range(n):
            a = math.sin(0.11 * j + 0.03 * k)
            s.extend([a * c + e for c, e in zip(cols, noise[at:at + n])])
            at = (at + 977) % (50021 - n)
        f.write(s.tobytes())
