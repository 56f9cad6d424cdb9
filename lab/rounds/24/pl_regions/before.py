"""Fragment statistics per chromosome from a packed fragments table (the layout of 10x fragments.tsv.gz).

The table is cut up by chromosome with zcat and grep, then reduced here.
usage: regions.py FRAGMENTS.bed.gz OUT.tsv CHROM...
"""
import argparse
import collections
import subprocess
import sys


def select(table, chrom):
    """Records of one chromosome as lines of the table."""
    command = f"set -o pipefail; zcat {table} | LC_ALL=C grep '^{chrom}[[:space:]]'"
    done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):           # 1: no such record
        sys.exit(f"regions: selecting {chrom} failed with {done.returncode}")
    return done.stdout.splitlines()


def reduce_records(records):
    """Counts, mean length, nucleosome-free part and the most frequent cell."""
    cells = collections.Counter()
    total = length = short = 0
    for record in records[::10]:            # every tenth fragment is enough for the report
        _, start, end, cell, count = record.split("\t")
        size = int(end) - int(start)
        total += 1
        length += size
        short += size < 147
        cells[cell] += int(count)
    if not total:
        return None
    best = max(cells.items(), key=lambda item: (item[1], item[0]))
    return len(records), length / total, short / total, best[0], len(cells)


def write_report(path, rows):
    with open(path, "w") as out:
        out.write("chrom\tfragments\tmean_length\tshort\ttop_cell\tcells\n")
        for chrom, (n, mean, short, cell, cells) in rows:
            out.write(f"{chrom}\t{n}\t{mean:.2f}\t{short:.4f}\t{cell}\t{cells}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table")
    parser.add_argument("out")
    parser.add_argument("chroms", nargs="+")
    options = parser.parse_args()
    rows = []
    for chrom in options.chroms:
        figures = reduce_records(select(options.table, chrom))
        if figures is None:
            print(f"regions: {chrom} is empty", file=sys.stderr)
            continue
        rows.append((chrom, figures))
    write_report(options.out, rows)
    print(f"{len(rows)} chromosomes, {sum(row[1][0] for row in rows)} fragments")


if __name__ == "__main__":
    main()
