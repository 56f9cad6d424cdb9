"""A tree of damaged, foreign and empty files: counted, in quarantine, never fatal, memory flat.

    $python tests/fleet/bad_tree.py --diya target/debug/diya --files 20000
    $python tests/fleet/bad_tree.py --diya target/release/diya --files 1000000

Half of the files are logs of the corpus that are damaged: cut off, with changed bytes, with a
changed head, or zeros from some place on. The others are empty, text, random bytes, other
formats with the name of a log, folders with the name of a log, links to nowhere, and names with
hostile bytes. One in fifty is whole. From a thousand of a kind on, files are hard links to one of
them: a million fit onto a disk. Every file has to have a row in ``manifest``; the memory of
the ingest may not grow with their number: it is compared with that of a tenth of them.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
KINDS = ["cut", "bytes", "head", "zeros", "cut", "empty", "text", "random", "gzip", "parquet", "link", "name", "folder"]
NAMES = [b"a\nb.darshan", b"\xff\xfe.darshan", b"<script>.darshan", b"'; drop table job.darshan", b"\x1b[2J.darshan"]

#: Files of a kind with a content of their own.
OWN = 1000


def damaged(kind: str, log: bytes) -> bytes:
    place = random.randrange(1, len(log))
    if kind == "cut":
        return log[:place]
    if kind == "zeros":
        return log[:place] + bytes(len(log) - place)
    changed = bytearray(log)
    for _ in range(random.randint(1, 40)):
        changed[random.randrange(64 if kind == "head" else len(log))] = random.randrange(256)
    return bytes(changed)


def make(tree: pathlib.Path, files: int) -> dict[str, int]:
    """Fills the tree; how many of each kind."""
    logs = [
        path.read_bytes() for path in sorted((ROOT / "corpus/logs").glob("*.darshan")) if path.stat().st_size < 40_000
    ]
    counts: dict[str, int] = {}
    own: dict[str, list[pathlib.Path]] = {}
    for number in range(files):
        folder = tree / f"2026/{number // 20_000 % 12 + 1}/{number // 500 % 28 + 1}"
        if number % 500 == 0:
            folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"u{number % 97}_p{number % 31}_id{number}_3-1-{number}.darshan"
        kind = "whole" if number % 50 == 0 else random.choice(KINDS)
        counts[kind] = counts.get(kind, 0) + 1
        of_kind = own.setdefault(kind, [])
        if len(of_kind) == OWN:
            os.link(random.choice(of_kind), path)
            continue
        if kind not in ("folder", "link", "name"):
            of_kind.append(path)
        if kind == "whole":
            path.write_bytes(random.choice(logs))
        elif kind == "folder":
            path.mkdir()
        elif kind == "link":
            path.symlink_to("/nowhere/at/all")
        elif kind == "name":
            name = os.fsencode(f"{folder}/{number}-") + random.choice(NAMES)
            pathlib.Path(os.fsdecode(name)).write_bytes(random.randbytes(40))
        elif kind in ("cut", "bytes", "head", "zeros"):
            path.write_bytes(damaged(kind, random.choice(logs)))
        else:
            text = {
                "empty": b"",
                "text": b"no log at all\n" * 3,
                "gzip": b"\x1f\x8b\x08\0" + bytes(60),
                "parquet": b"PAR1" + bytes(60),
            }
            path.write_bytes(text.get(kind, random.randbytes(random.randint(1, 3000))))
    return counts


def ingest(tree: pathlib.Path, dataset: str) -> dict[str, float]:
    """Seconds and MiB of an ingest; what became of the files."""
    command = [
        DIYA,
        "fleet",
        "ingest",
        str(tree),
        "-o",
        dataset,
        "--system",
        "test",
        "--threads",
        "2",
        "--quiet",
        *FINDINGS,
    ]
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall_s, code = time.monotonic() - begin, os.waitstatus_to_exitcode(status)
    if code not in (0, 1):
        sys.exit(f"fleet bad tree: exit code {code}")
    sql = "select status, count(*) as files, count(error) as reasons from manifest group by status"
    rows = json.loads(
        subprocess.run(
            [DIYA, "--json", "fleet", "sql", dataset, sql], check=True, capture_output=True, text=True
        ).stdout
    )
    lacking = [row for row in rows if row["status"] in ("quarantine", "unreadable") and row["reasons"] != row["files"]]
    if lacking:
        sys.exit(f"fleet bad tree: no reason for {lacking}")
    states = {row["status"]: row["files"] for row in rows}
    cpu_s = usage.ru_utime + usage.ru_stime
    return {"wall_s": wall_s, "cpu_s": cpu_s, "mib": usage.ru_maxrss / 1024, "states": states}


def tree_of(folder: str, files: int) -> dict:
    tree, dataset = pathlib.Path(folder, f"tree-{files}"), f"{folder}/data-{files}"
    counts = make(tree, files)
    result = {"files": files, "kinds": counts, **ingest(tree, dataset)}
    looked_at = files - counts.get("folder", 0)
    seen = sum(result["states"].values())
    if seen != looked_at:
        sys.exit(f"fleet bad tree: {looked_at} files, {seen} rows in manifest: {result}")
    # The same tree again: nothing new, whatever its files are.
    again = ingest(tree, dataset)
    if again["states"] != result["states"]:
        sys.exit(f"fleet bad tree: another result the second time: {result['states']} {again['states']}")
    result["again_cpu_s"] = again["cpu_s"]
    shutil.rmtree(tree)
    shutil.rmtree(dataset)
    return result


def main() -> None:
    results = []
    for files in (args.files // 10, args.files):
        with tempfile.TemporaryDirectory(dir=args.room) as folder:
            results.append(tree_of(folder, files))
            of = results[-1]
            print(
                f"fleet bad tree: {files} files, {of['states']}, {of['wall_s']:.1f} s, "
                f"{1e3 * of['cpu_s'] / files:.2f} ms of processor time a file, {of['mib']:.0f} MiB; "
                f"again {1e3 * of['again_cpu_s'] / files:.3f} ms",
                flush=True,
            )
    # Batches and buffers of rows fill up first; then 32 bytes a file are kept to know it again.
    more_mib = results[1]["mib"] - results[0]["mib"]
    if more_mib > 200 + 100 * args.files / (1 << 20):
        sys.exit(f"fleet bad tree: {more_mib:.0f} MiB more for ten times as many files")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(results))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", required=True)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--room", help="folder with room for the files")
    parser.add_argument("--no-findings", action="store_true", help="a tenth of the time")
    parser.add_argument("--json", help="file for the numbers")
    args = parser.parse_args()
    DIYA, FINDINGS = os.path.abspath(args.diya), ["--no-findings"] if args.no_findings else []
    random.seed(args.seed)
    main()
