import os, random, zlib
r = random.Random(31)
os.makedirs("spool/in")
for i in range(2200):
    b = "".join("%s%02d EDZW 12%04d\n%s\n" % (r.choice(("SMDL", "SNDL", "SADL", "FTDL", "USDL")), r.randint(1, 60), r.randint(0, 2359),
        " ".join("%05d" % r.randint(0, 99999) for k in range(40))) for j in range(4)).encode()
    c = zlib.crc32(b) ^ (i % 97 == 5)
    with open("spool/in/%013d.%05d.switch1" % (1700000000000 + i * 733, r.randint(0, 99999)), "wb") as f:
        f.write(b + b"CRC %08x\n" % c)
open("spool/in/1700000000001.part.tmp", "w").close()
