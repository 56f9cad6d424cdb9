"""What it costs to make one dataset of many logs.

    cargo build --release --workspace --bin diya --bin diya-fleet-logs
    python3 benches/fleet.py --diya target/release/diya --fleet-logs target/release/diya-fleet-logs

Prints, for 1,000, 10,000 and 100,000 logs (``--jobs``), processor time per log of

- reading the same counters alone (``diya sql`` counts the rows of the tables that ingest reads,
  and, apart, of the seven with a record for each file of a layer),
- ``diya fleet ingest --no-findings`` and ``diya fleet ingest``,
- PyDarshan's light pass (open a log, read its header and the list of its modules and names), and
  ``darshan job_stats`` (the counters of POSIX, summed up by job), on a sample of the logs, where
  the package ``darshan`` is installed,

the bytes of the dataset per job and per record, and the largest memory of each command. The same
for ``--sizes`` logs that are as large as those of an archive (``cargo xtask fleet-logs --sizes``).
Times are processor time, user and system, of the command and its children. Each command
runs ``--repeats`` times; the least counts, since other work on the machine only adds.
"""

import argparse
import json
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

TARGETS = {"ingest over counters": 1.5, "job bytes": 250, "record bytes": 60}

#: Logs that PyDarshan reads: its cost per log does not depend on their number.
PYDARSHAN_LOGS = 2000

#: Logs that ``darshan job_stats`` reads, a hundred times slower.
JOB_STATS_LOGS = 300

#: Tables with a record for each file of a layer.
LAYERS = ["posix", "stdio", "mpiio", "hdf5_file", "hdf5_dataset", "pnetcdf_file", "pnetcdf_var"]

#: Tables that ``diya fleet ingest --no-findings`` reads (``COUNTERS`` of
#: crates/diya-fleet/src/extract/log_facts.rs).
COUNTERS = [
    *LAYERS,
    "dfs",
    "daos",
    "job",
    "file",
    "mount",
    "lustre_component",
    "lustre_target",
    "heatmap",
    "read_issue",
]

#: The light pass: what PyDarshan's own summary of many logs does first.
LIGHT_PASS = """
import sys, darshan
for path in sys.stdin.read().split():
    report = darshan.DarshanReport(path, read_all=False)
    report.metadata, report.modules, report.name_records
"""


def run(command: list[str], text: str = "") -> tuple[float, float, int]:
    """Run a command.

    Returns
    -------
    tuple
        Processor seconds, wall seconds, and the largest memory in KiB.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    with tempfile.NamedTemporaryFile("r") as memory:
        timed = ["/usr/bin/time", "-o", memory.name, "-f", "%M", *command]
        subprocess.run(timed, input=text, text=True, check=True, stdout=subprocess.DEVNULL)
        peak_kib = int(memory.read().split()[-1])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return used_s, time.monotonic() - start, peak_kib


def least(command: list[str], repeats: int, fresh: pathlib.Path | None = None, text: str = ""):
    """The run with the least processor time; ``fresh`` is removed before each."""
    runs = []
    for _ in range(repeats):
        if fresh:
            shutil.rmtree(fresh, ignore_errors=True)
        runs.append(run(command, text))
    return min(runs)


def folder_bytes(folder: pathlib.Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.parquet"))


def table_rows(diya: str, dataset: pathlib.Path) -> dict[str, int]:
    output = subprocess.run([diya, "fleet", "hash", str(dataset), "--json"], capture_output=True, check=True)
    return {table["name"]: table["rows"] for table in json.loads(output.stdout)}


def reading(args: argparse.Namespace, paths: list[str], tables: list[str]) -> dict:
    """The rows of these tables, counted and dropped; in pieces, as a command line is short."""
    query = " union all ".join(f"select count(*) from {table}" for table in tables)
    used_s, peak_kib = 0.0, 0
    for at in range(0, len(paths), 2000):
        command = [args.diya, "sql", "--quiet", "--threads", str(args.threads), *paths[at : at + 2000], query]
        of_piece = least(command, args.repeats)
        used_s, peak_kib = used_s + of_piece[0], max(peak_kib, of_piece[2])
    return {"ms_per_log": 1e3 * used_s / len(paths), "peak_mib": peak_kib / 1024}


def pydarshan(args: argparse.Namespace, paths: list[str]) -> dict | None:
    """Milliseconds of a log: the light pass, and ``job_stats``; without the start of Python."""
    if subprocess.run([args.python, "-c", "import darshan"], capture_output=True).returncode != 0:
        return None
    light, job_stats = paths[:PYDARSHAN_LOGS], paths[:JOB_STATS_LOGS]

    def each_ms(few: list[str], many: list[str], texts: list[str], logs: int) -> float:
        empty_s = least(few, args.repeats, text=texts[0])[0]
        return 1e3 * (least(many, args.repeats, text=texts[1])[0] - empty_s) / logs

    pass_of = [args.python, "-c", LIGHT_PASS]
    stats_of = [args.python, "-m", "darshan", "job_stats", "--csv"]
    return {
        "light_ms": each_ms(pass_of, pass_of, ["", "\n".join(light)], len(light)),
        "job_stats_ms": each_ms([*stats_of, job_stats[0]], [*stats_of, *job_stats], ["", ""], len(job_stats) - 1),
    }


def measure(args: argparse.Namespace, jobs: int, room: pathlib.Path, kind: str) -> dict:
    logs, dataset = room / f"logs-{jobs}", room / f"dataset-{jobs}"
    subprocess.run([args.fleet_logs, str(logs), "--jobs", str(jobs), kind], check=True)
    paths = sorted(str(path) for path in logs.rglob("*.darshan"))
    number = len(paths)
    sizes = sorted(path.stat().st_size for path in logs.rglob("*.darshan"))
    result = {"logs": number, "kind": kind, "deciles": [sizes[(number - 1) * tenth // 10] for tenth in range(11)]}
    result["counters alone"] = reading(args, paths, COUNTERS)
    result["layers alone"] = reading(args, paths, LAYERS)
    ingest = [args.diya, "fleet", "ingest", str(logs), "-o", str(dataset), "--threads", str(args.threads)]
    for name, options in [("without findings", ["--no-findings"]), ("with findings", [])]:
        used_s, wall_s, peak_kib = least([*ingest, *options], args.repeats, dataset)
        result[name] = {
            "ms_per_log": 1e3 * used_s / number,
            "wall_s": wall_s,
            "peak_mib": peak_kib / 1024,
        }
    used_s, wall_s, _ = least(ingest, 1)
    result["nothing new"] = {"ms_per_log": 1e3 * used_s / number, "wall_s": wall_s}
    used_s, wall_s, peak_kib = least([args.diya, "fleet", "compact", str(dataset)], 1)
    result["compact"] = {"ms_per_log": 1e3 * used_s / number, "wall_s": wall_s, "peak_mib": peak_kib / 1024}
    rows = table_rows(args.diya, dataset)
    of_tables = {name: folder_bytes(dataset / name) for name in rows}
    apart = ("record", "finding", "metric", "manifest")
    of_jobs = sum(size for name, size in of_tables.items() if name not in apart)
    result["bytes"] = {
        "per job": of_jobs / rows["job"],
        "per record": of_tables["record"] / max(rows["record"], 1),
        "findings per job": of_tables["finding"] / rows["job"],
        "metrics per job": of_tables["metric"] / rows["job"],
        "manifest per job": of_tables["manifest"] / rows["job"],
    }
    result["pydarshan"] = pydarshan(args, random.Random(17).sample(paths, number))
    shutil.rmtree(logs)
    shutil.rmtree(dataset)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--diya", default="target/release/diya")
    parser.add_argument("--fleet-logs", default="target/release/diya-fleet-logs")
    parser.add_argument("--python", default=sys.executable, help="the Python that has PyDarshan")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--sizes", type=int, default=3_000, help="logs that are as large as those of an archive")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--room", type=pathlib.Path, help="folder with room for the logs")
    parser.add_argument("--json", type=pathlib.Path, help="file for the numbers, for benches/fleet_cost.py")
    args = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory(dir=args.room) as room:
        fleets = [(jobs, "--plant") for jobs in args.jobs] + [(args.sizes, "--sizes")]
        for jobs, kind in fleets:
            result = measure(args, jobs, pathlib.Path(room), kind)
            for alone in ("counters", "layers"):
                ratio = result["without findings"]["ms_per_log"] / result[f"{alone} alone"]["ms_per_log"]
                result[f"ingest over {alone}"] = ratio
            results.append(result)
            print(json.dumps(result, indent=1), flush=True)
    if args.json:
        args.json.write_text(json.dumps(results))
    print("limits:", json.dumps(TARGETS))


if __name__ == "__main__":
    main()
