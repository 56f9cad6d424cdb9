"""Cosmic-ray muons in a scintillator telescope: a toy Monte Carlo.

Draws muons with a cos^2 zenith law, follows them through three counters with
Landau-like energy loss and keeps every coincidence in an event file:
    uint32 number | float32 zenith, azimuth, energy, and for each of the
    three counters: uint16 plane, uint16 pulse height (keV / 4), float32 time (ns)
"""
import math
import random
import struct
import sys

N_MUONS = int(sys.argv[1]) if len(sys.argv) > 1 else 300000
SEED = 1936

PLANES = (0.0, 0.35, 0.80)          # m, heights of the counters
HALF_SIDE = 0.25                    # m
THICKNESS = 1.0                     # cm of plastic
MIP_LOSS = 2.0                      # MeV/cm
THRESHOLD = 0.7                     # MeV, discriminator

TRACK = struct.Struct("<I3f")
HIT = struct.Struct("<HHf")


class EventFile:
    def __init__(self, name):
        self.out = open(name, "wb", buffering=1 << 20)
        self.count = 0

    def header(self, seed, planes):
        self.out.write(struct.pack("<4sI3f", b"MUON", seed, *planes))

    def event(self, zenith, azimuth, energy, deposits):
        self.out.write(TRACK.pack(self.count, zenith, azimuth, energy))
        for plane, d in enumerate(deposits):
            time = (PLANES[-1] - PLANES[plane]) / math.cos(zenith) / 0.2998
            self.out.write(HIT.pack(plane, min(65535, int(250 * d)), time))
        self.count += 1

    def close(self):
        self.out.close()


def draw_direction(rng):
    """zenith after cos^2, azimuth uniform"""
    cosz = (1.0 - rng.random()) ** (1.0 / 3.0)
    return math.acos(cosz), 2 * math.pi * rng.random()


def draw_energy(rng):
    """GeV, power law above 0.2 GeV"""
    return 0.2 * (1.0 - rng.random()) ** (-1.0 / 1.7)


def deposit(rng, path, energy):
    """Moyal approximation of the Landau distribution"""
    mean = MIP_LOSS * path * (1.0 + 0.04 * math.log(1.0 + energy))
    u = rng.gauss(0.0, 1.0)
    return mean * (0.9 + 0.06 * -math.log(u * u + 1e-12))


def hits(zenith, azimuth, x, y):
    """positions in the planes, None if one of them is missed"""
    t = math.tan(zenith)
    for h in PLANES:
        px = x + (PLANES[-1] - h) * t * math.cos(azimuth)
        py = y + (PLANES[-1] - h) * t * math.sin(azimuth)
        if abs(px) > HALF_SIDE or abs(py) > HALF_SIDE:
            return False
    return True


def main():
    rng = random.Random(SEED)
    events = EventFile("muons.evt")
    events.header(SEED, PLANES)
    spectrum = [0] * 40
    for _ in range(N_MUONS):
        zenith, azimuth = draw_direction(rng)
        zenith *= 0.3                       # collimated by the roof opening
        x = HALF_SIDE * (2 * rng.random() - 1)
        y = HALF_SIDE * (2 * rng.random() - 1)
        if not hits(zenith, azimuth, x, y):
            continue
        energy = draw_energy(rng)
        path = THICKNESS / math.cos(zenith)
        d = [deposit(rng, path, energy) for _ in PLANES]
        if min(d) < THRESHOLD:
            continue
        events.event(zenith, azimuth, energy, d)
        spectrum[min(39, int(4 * d[1]))] += 1
    events.close()
    peak = max(range(40), key=spectrum.__getitem__)
    print(f"{events.count} coincidences of {N_MUONS}, most probable loss {0.25 * peak + 0.125:.2f} MeV")


main()
