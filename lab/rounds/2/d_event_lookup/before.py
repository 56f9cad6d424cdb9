"""Follow decay chains through a table of detector hits: every hit refers to
a partner elsewhere in the table that has to be looked up."""
import os
import struct
import sys

HIT = struct.Struct("<q6f")


class HitTable:
    def __init__(self, path):
        self.table = open(path, "rb")
        self.size = os.fstat(self.table.fileno()).st_size // HIT.size

    def hit(self, index):
        self.table.seek(index * HIT.size)
        return HIT.unpack(self.table.read(HIT.size))

    def close(self):
        self.table.close()


def partner_of(ident, size, generation):
    mixed = (ident * 2654435761 + generation * 40503 + 12345) & 0xFFFFFFFF
    mixed ^= mixed >> 15
    return mixed % size


def follow_chain(table, start, depth):
    mass = 0.0
    index = start
    for generation in range(depth):
        ident, px, py, pz, energy, weight, quality = table.hit(index)
        if quality > 0.1:
            mass += weight * (energy * energy + px * px + py * py + pz * pz)
        index = partner_of(ident, table.size, generation)
    return mass


def histogram(masses, nbins=20):
    low, high = min(masses), max(masses)
    width = (high - low) / nbins or 1.0
    bins = [0] * nbins
    for m in masses:
        bins[min(int((m - low) / width), nbins - 1)] += 1
    return bins


def main(chains, depth=25):
    table = HitTable("hits.dat")
    masses = [follow_chain(table, (k * 7919) % table.size, depth) for k in range(chains)]
    table.close()
    bins = histogram(masses)
    print(f"{chains} chains, mean {sum(masses) / chains:.6f}, fullest bin {max(bins)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 8000)
