"""Fixity check of a deposit of audio snippets in the sound archive.

The manifest names each snippet and its SHA-256 sum; the report counts those
that are sound, altered or missing, by recorder.
"""
import argparse
import collections
import hashlib
import pathlib
import subprocess
import wave


def read_manifest(path):
    entries = []
    with open(path) as f:
        for line in f:
            digest, name = line.split()
            entries.append((name, digest))
    return entries


def digest_of(path):
    out = subprocess.run(["sha256sum", "--binary", str(path)],
                         capture_output=True, text=True, check=True)
    return out.stdout.split()[0].lstrip("\\")


def seconds(path):
    with wave.open(str(path)) as w:
        return w.getnframes() / w.getframerate()


def check(root, entries):
    """State and length of every snippet of the manifest."""
    result = {}
    for name, digest in entries:
        path = root / name
        if not path.exists():
            result[name] = ("missing", 0.0)
        elif digest_of(path) != digest:
            result[name] = ("altered", seconds(path))
        else:
            result[name] = ("sound", seconds(path))
    return result


def by_recorder(result):
    table = collections.defaultdict(collections.Counter)
    length = collections.Counter()
    for name, (state, secs) in result.items():
        recorder = name.split("_")[0]
        table[recorder][state] += 1
        length[recorder] += secs
    return table, length


def write_report(result, path):
    with open(path, "w") as f:
        for name, (state, secs) in result.items():
            if state != "sound":
                f.write(f"{state:8s} {name} {secs:.2f}\n")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("deposit", type=pathlib.Path)
    p.add_argument("--manifest", default="manifest.sha256")
    p.add_argument("--report", default="fixity.txt")
    args = p.parse_args()

    entries = read_manifest(args.manifest)
    result = check(args.deposit, entries)
    write_report(result, args.report)
    table, length = by_recorder(result)
    for recorder in sorted(table):
        c = table[recorder]
        print(f"{recorder} sound {c['sound']} altered {c['altered']} missing {c['missing']} "
              f"{length[recorder]:.1f} s")
    states = "".join(result[name][0][0] for name, _ in entries)
    print("states", hashlib.md5(states.encode()).hexdigest())


if __name__ == "__main__":
    main()
