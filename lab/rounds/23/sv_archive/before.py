#!/usr/bin/env python3
"""Verify a delivery from the data centre: checksums and structure of large exposure files.

The layout of the manifest and of the report follows "bagit" packages; own code.
usage: verify.py delivery/ manifest.txt report.json
"""
import hashlib
import json
import os
import sys

BLOCK = 4 << 20


def read_manifest(path):
    wanted = {}
    with open(path) as f:
        for number, line in enumerate(f, 1):
            try:
                size, digest, name = line.split()
            except ValueError:
                sys.exit(f"{path}:{number}: malformed line")
            wanted[name] = (int(size), digest)
    return wanted


def check_header(block, name):
    """A delivery file starts with cards of 80 bytes, END within the first 2880."""
    if not block.startswith(b"SIMPLE  ="):
        return f"{name}: no SIMPLE card"
    if b"END".ljust(80) not in block[:2880]:
        return f"{name}: no END card"
    return None


def digest(path, buffer):
    """Size and SHA3-512 of one file, read front to back."""
    view = memoryview(buffer)
    h = hashlib.sha3_512()
    size, problem = 0, None
    with open(path, "rb", buffering=0) as f:
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
        while n := f.readinto(buffer):
            if size == 0:
                problem = check_header(bytes(view[:2880]), os.path.basename(path))
            h.update(view[:n])
            size += n
    return size, h.hexdigest(), problem


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    root, manifest, report = sys.argv[1:]
    wanted = read_manifest(manifest)
    buffer = bytearray(BLOCK)
    present = sorted(os.listdir(root))
    result = {"ok": [], "damaged": [], "problems": [], "missing": sorted(set(wanted) - set(present))}
    total = 0
    for name in present:
        if name not in wanted:
            result["problems"].append(f"{name}: not in the manifest")
            continue
        size, found, problem = digest(os.path.join(root, name), buffer)
        total += size
        if problem:
            result["problems"].append(problem)
        result["ok" if (size, found) == wanted[name] else "damaged"].append(name)
    with open(report, "w") as out:
        json.dump(result, out, indent=1)
    print(f"{total} bytes, " + ", ".join(f"{len(v)} {k}" for k, v in result.items()))
    return 1 if result["missing"] else 0


if __name__ == "__main__":
    sys.exit(main())
