import os, struct
sites = ["night", "run", "semester", "campaign", "observatory", "legacy", "vendor", "default"]
for s in sites:
    os.makedirs(f"calib/{s}", exist_ok=True)
for filt in "ugrizy":
    for ccd in range(12):
        site = ["legacy", "vendor", "default"][(ccd + ord(filt)) % 3]
        with open(f"calib/{site}/flat_{filt}_{ccd:02d}.cal", "wb") as f:
            f.write(struct.pack("<ii", ord(filt), ccd) + struct.pack("<16d", *[1.0 + 0.01 * ((k * 3 + ccd) % 7) for k in range(16)]))
