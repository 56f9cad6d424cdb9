"""Makes the input of the real programs: `python3 inputs.py KIND [NUMBER]`, in the current folder.

The same input every time: the generator of random numbers starts with 1. Kinds that
need a package import it themselves.
"""

import random
import sys
from pathlib import Path

DICE = random.Random(1)


def letters(alphabet: str, count: int) -> str:
    return "".join(DICE.choices(alphabet, k=count))


def tree(count: int) -> None:
    """`tree/dir00/file0.txt`: files of 1 to 8 KiB, fifty folders."""
    text = letters("etaoin shrdlu\n", 8192)
    for number in range(count):
        folder = Path("tree", f"dir{number % 50:02}")
        folder.mkdir(parents=True, exist_ok=True)
        start = DICE.randrange(1024)
        words = text[start : DICE.randrange(2048, 8192)]
        (folder / f"file{number}.txt").write_text(f"{number}\n{words}")


def large(mebibytes: int) -> None:
    """`large.bin`: bytes that do not compress."""
    with open("large.bin", "wb") as file:
        for _ in range(mebibytes):
            file.write(DICE.randbytes(1 << 20))


def genome(bases: int) -> None:
    """`genome.fa`: one chromosome; `reads.fq` and `reads.fa`: pieces of it with errors."""
    chromosome = letters("ACGT", bases)
    lines = (chromosome[at : at + 70] for at in range(0, bases, 70))
    Path("genome.fa").write_text(">chr1\n" + "\n".join(lines) + "\n")
    with open("reads.fq", "w") as fastq, open("reads.fa", "w") as fasta:
        for number in range(bases // 400):
            start = DICE.randrange(bases - 150)
            read = list(chromosome[start : start + 150])
            read[DICE.randrange(150)] = DICE.choice("ACGT")
            text = "".join(read)
            fastq.write(f"@r{number}\n{text}\n+\n{'I' * 150}\n")
            fasta.write(f">r{number}\n{text}\n")


def alignment(count: int) -> None:
    """`reads.sam`: reads in no order, as an aligner prints them."""
    with open("reads.sam", "w") as file:
        file.write("@HD\tVN:1.6\tSO:unsorted\n@SQ\tSN:chr1\tLN:5000000\n")
        for number in range(count):
            start = DICE.randrange(1, 4999000)
            file.write(f"r{number}\t0\tchr1\t{start}\t60\t100M\t*\t0\t0\t{letters('ACGT', 100)}\t{'I' * 100}\n")


def proteins(count: int) -> None:
    """`proteins.fa` to search, and `family.sto`, an alignment to make a profile of."""
    residues = "ACDEFGHIKLMNPQRSTVWY"
    family = letters(residues, 200)
    with open("proteins.fa", "w") as file:
        for number in range(count):
            file.write(f">p{number}\n{letters(residues, 300)}\n")
    rows = []
    for number in range(10):
        row = [letter if DICE.random() < 0.8 else DICE.choice(residues) for letter in family]
        rows.append(f"s{number}  {''.join(row)}\n")
    Path("family.sto").write_text("# STOCKHOLM 1.0\n\n" + "".join(rows) + "//\n")


def table(rows: int) -> None:
    """`table.csv`: measurements of 500 stations."""
    with open("table.csv", "w") as file:
        file.write("station,day,temperature,wind,rain\n")
        for number in range(rows):
            file.write(
                f"s{number % 500},{number // 500},{DICE.gauss(10, 8):.3f},"
                f"{DICE.random() * 20:.3f},{DICE.random():.4f}\n"
            )


def inserts(rows: int) -> None:
    """`each.sql`: an insert is a transaction; `one.sql`: all are one; `query.sql`: sums."""
    create = "create table t(id integer primary key, station text, value real);\n"
    lines = "".join(
        f"insert into t values({number},'s{number % 500}',{DICE.random():.6f});\n" for number in range(rows)
    )
    Path("each.sql").write_text(create + lines)
    Path("one.sql").write_text(create + "begin;\n" + lines + "commit;\n")


def climate(steps: int) -> None:
    """`month00.nc` and eleven more: temperature on a grid of one degree; each `steps` days."""
    import numpy as np
    from netCDF4 import Dataset

    values = np.random.default_rng(1)
    for month in range(12):
        with Dataset(f"month{month:02}.nc", "w", format="NETCDF4_CLASSIC") as file:
            for name, size in (("time", None), ("lat", 180), ("lon", 360)):
                file.createDimension(name, size)
                axis = file.createVariable(name, "f8", (name,))
                if name != "time":
                    axis[:] = np.arange(size) + (-89.5 if name == "lat" else 0.5)
                    axis.units = "degrees_north" if name == "lat" else "degrees_east"
            file["time"].units = "days since 2000-01-01 00:00:00"
            file["time"].calendar = "standard"
            field = file.createVariable("tas", "f4", ("time", "lat", "lon"))
            for day in range(steps):
                file["time"][day] = month * 30 + day
                field[day] = values.normal(280, 10, (180, 360))


def array(mebibytes: int) -> None:
    """`array.h5`: a smooth field of doubles in chunks of 1 MiB."""
    import h5py
    import numpy as np

    with h5py.File("array.h5", "w") as file:
        shape = (mebibytes * 128, 1024)
        rows = np.round(np.add.outer(np.arange(shape[0]), np.sin(np.arange(1024))), 2)
        file.create_dataset("field", data=rows, chunks=(128, 1024))


def photos(count: int) -> None:
    """`photo000.jpg`, `photo001.jpg` ...: 1600 x 1200 points of clouds."""
    import numpy as np
    from PIL import Image

    values = np.random.default_rng(1)
    for number in range(count):
        coarse = Image.fromarray(values.integers(0, 255, (30, 40, 3), dtype="uint8"))
        coarse.resize((1600, 1200), Image.Resampling.BICUBIC).save(f"photo{number:03}.jpg")


KINDS = {
    each.__name__: each for each in (tree, large, genome, alignment, proteins, table, inserts, climate, array, photos)
}

if __name__ == "__main__":
    KINDS[sys.argv[1]](int(sys.argv[2]))
