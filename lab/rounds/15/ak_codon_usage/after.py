"""Codon usage bias of a bacterial genome.

Genes are drawn from a mutation-selection model; for each gene the relative
synonymous codon usage (RSCU), the effective number of codons and the GC3
content are determined and collected in usage.h5.
"""
import itertools
import sys

import h5py
import numpy as np

GENES = int(sys.argv[1]) if len(sys.argv) > 1 else 300
LENGTH = 420                       # mean codons per gene

BASES = "TCAG"
CODONS = ["".join(c) for c in itertools.product(BASES, repeat=3)]
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"


class GeneticCode:
    def __init__(self):
        self.families = {}
        for index, letter in enumerate(AMINO):
            if letter != "*":
                self.families.setdefault(letter, []).append(index)

    def rscu(self, counts):
        value = np.zeros(64)
        for members in self.families.values():
            total = counts[members].sum()
            if total:
                value[members] = counts[members] * len(members) / total
        return value

    def effective_number(self, counts):
        """Wright's Nc, families of equal degeneracy averaged."""
        by_size = {}
        for members in self.families.values():
            n = counts[members].sum()
            if len(members) > 1 and n > 1:
                p = counts[members] / n
                by_size.setdefault(len(members), []).append((n * (p @ p) - 1) / (n - 1))
        number = 2.0
        for size, values in by_size.items():
            families = sum(1 for m in self.families.values() if len(m) == size)
            mean = max(float(np.mean(values)), 1.0 / size)
            number += families / mean
        return min(number, 61.0)


class Genome:
    def __init__(self, code, seed=11):
        self.code = code
        self.rng = np.random.default_rng(seed)
        self.gc = np.array([sum(b in "GC" for b in c) for c in CODONS], float)
        self.optimal = self.rng.random(64)

    def gene(self, expression):
        weight = np.exp(0.3 * self.gc + 2.5 * expression * self.optimal)
        weight[[i for i, a in enumerate(AMINO) if a == "*"]] = 0.0
        length = self.rng.poisson(LENGTH)
        return np.bincount(self.rng.choice(64, size=length, p=weight / weight.sum()), minlength=64)


class UsageStore:
    def __init__(self, name):
        self.file = h5py.File(name, "w", libver="latest")
        self.genes, self.rows = [], []

    def add(self, gene, rscu, number, gc3):
        self.genes.append(gene)
        self.rows.append(np.concatenate([[number, gc3], rscu]))

    def close(self):
        table = self.file.create_dataset("usage", data=np.array(self.rows))
        table.attrs["columns"] = ",".join(["Nc", "GC3"] + CODONS)
        self.file.create_dataset("gene", data=np.array(self.genes, dtype="S"))
        self.file.close()


def main():
    code = GeneticCode()
    genome = Genome(code)
    store = UsageStore("usage.h5")
    third = np.array([c[2] in "GC" for c in CODONS])
    numbers = []
    for k in range(GENES):
        counts = genome.gene(expression=genome.rng.beta(1, 4))
        gc3 = counts[third].sum() / counts.sum()
        number = code.effective_number(counts)
        store.add(f"gene{k:05d}", code.rscu(counts), number, gc3)
        numbers.append(number)
    store.close()
    print(f"{GENES} genes, mean Nc {np.mean(numbers):.3f}, lowest {min(numbers):.3f}")


if __name__ == "__main__":
    main()
