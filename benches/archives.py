"""What a log costs that lies in an archive, beside the same log in a folder.

    cargo build --release --workspace --bin diya
    python3 benches/archives.py --diya target/release/diya

Copies of a small log, loose and as members of a .tar and a .tar.gz: processor time of a member
among many over that of a member among few, which is 1 where the time grows as the number of
members does, and the memory that a member takes beyond that of a loose file. A member of a
compressed archive is in memory until it is read: there the bytes of the log are not counted.
Ratios and bytes of one run; each command runs ``--repeats`` times and the least counts, since
other work on the machine only adds.
"""

import argparse
import io
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile

from fleet import run

ROOT = pathlib.Path(__file__).resolve().parents[1]
#: Time of a member among many over one among few, and bytes of a member.
TARGETS = {"time": 1.25, "bytes": 200}


def make(room: pathlib.Path, log: bytes, members: int) -> dict[str, pathlib.Path]:
    """The same logs in a folder and in archives."""
    folder = room / str(members)
    folder.mkdir()
    places = {"folder": folder, "tar": room / f"{members}.tar", "tar.gz": room / f"{members}.tar.gz"}
    tar = tarfile.open(places["tar"], "w", format=tarfile.USTAR_FORMAT)
    packed = tarfile.open(places["tar.gz"], "w:gz", format=tarfile.USTAR_FORMAT, compresslevel=1)
    with tar, packed:
        for number in range(members):
            name = f"job{number:06}.darshan"
            (folder / name).write_bytes(log)
            about = tarfile.TarInfo(f"{members}/{name}")
            about.size = len(log)
            for archive in (tar, packed):
                archive.addfile(about, io.BytesIO(log))
    return places


def commands(diya: str, place: pathlib.Path, dataset: pathlib.Path) -> dict[str, list[str]]:
    """What is measured: one thread, so that memory does not follow from chance."""
    ask = [diya, "sql", "--quiet", "--threads", "1", str(place), "select count(*) from job"]
    ingest = [diya, "fleet", "ingest", str(place), "-o", str(dataset), "--threads", "1", "--no-findings", "--quiet"]
    return {"sql": ask, "fleet ingest": ingest}


def measure(args: argparse.Namespace, room: pathlib.Path, place: pathlib.Path) -> dict[str, tuple[float, int]]:
    """Processor seconds and bytes of memory by command, the least of several runs."""
    dataset, found = room / "dataset", {}
    for name, command in commands(args.diya, place, dataset).items():
        runs = []
        for _ in range(args.repeats):
            shutil.rmtree(dataset, ignore_errors=True)
            used_s, _, peak_kib = run(command)
            runs.append((used_s, peak_kib << 10))
        found[name] = (min(used_s for used_s, _ in runs), min(peak for _, peak in runs))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", required=True)
    parser.add_argument("--log", type=pathlib.Path, default=ROOT / "corpus/logs/nonmpi_cp.darshan")
    # A command reads at most 20,000 logs of a folder.
    parser.add_argument(
        "--members",
        type=int,
        nargs=3,
        default=[10, 2_500, 20_000],
        metavar=("NONE", "FEW", "MANY"),
        help="the first measures the start of the program",
    )
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    args.diya = os.path.abspath(args.diya)
    log = args.log.read_bytes()
    none, few, many = args.members
    is_met = True
    with tempfile.TemporaryDirectory() as name:
        room = pathlib.Path(name)
        places = {members: make(room, log, members) for members in args.members}
        found = {
            (kind, members): measure(args, room, place) for members, of in places.items() for kind, place in of.items()
        }
    for command in ("sql", "fleet ingest"):

        def slope(kind: str, of: int, members: int, command: str = command) -> float:
            more, less = found[kind, members][command][of], found[kind, none][command][of]
            return (more - less) / (members - none)

        for kind in ("tar", "tar.gz"):
            growth = slope(kind, 0, many) / slope(kind, 0, few)
            beside = slope(kind, 0, many) / slope("folder", 0, many)
            beyond = slope(kind, 1, many) - slope("folder", 1, many)
            if kind == "tar.gz" and command == "sql":
                beyond -= len(log)
            is_met &= growth <= TARGETS["time"] and beyond <= TARGETS["bytes"]
            print(
                f"{command}, {kind}: {many:,} members take {growth:.2f} times the time per member of {few:,} (goal "
                f"{TARGETS['time']}), {beside:.2f} times that of loose files, and {beyond:.0f} bytes of memory per "
                f"member beyond loose files (goal {TARGETS['bytes']})"
            )
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
