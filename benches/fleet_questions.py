"""Every question of a fleet over made-up jobs: diya beside DuckDB on the same files.

    python=$(scripts/python-env.sh tests/diagnosis/requirements.txt diagnosis-env)/python
    $python benches/fleet_questions.py --diya target/release/diya --jobs 2000000

Makes a dataset in the layout of docs/decisions/0032 with DuckDB (--keep FOLDER keeps and
reuses it), asks each question both ways, and prints wall time, processor time and memory
of whole processes. The exit code is 1 when diya takes more than 1.5 times DuckDB's wall
time for a question that takes DuckDB at least half a second, when the sum is larger, or
when the rows differ.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib

import duckdb

ROOT = pathlib.Path(__file__).resolve().parent.parent
SYSTEMS = ["alpha", "beta"]
MACROS = """
create macro ratio(a, b) as case when b = 0 then null else cast(a as double) / b end;
create macro percentile(x, p) as quantile_cont(x, p);
create macro to_unixtime(t) as cast(epoch(t) as bigint);
create macro to_timestamp_seconds(s) as make_timestamp(cast(s as bigint) * 1000000);
"""
# How a column that matters to a question is made: SQL over i (job), r (0 to 1, of the job)
# and, in record, k (file of the job) and q (0 to 1, of the file).
JOB = {
    "log_hash": "hash(i)::hugeint - 9223372036854775808::hugeint",
    "start_time": "make_timestamp_ns(1704067200000000000 + (i * 31536000 // $jobs) * 1000000000)",
    "end_time": "make_timestamp_ns(1704067200000000000 + (i * 31536000 // $jobs) * 1000000000)",
    "job_id": "i",
    "path": "'/logs/' || (i % 3650) || '/user' || (i % 997) || '_prog' || (i % 311) || '_id' || i || '.darshan'",
    "format": "'darshan'",
    "library_version": "case i % 3 when 0 then '3.4.4' when 1 then '3.4.6' else '3.5.0' end",
    "uid": "i % 997",
    "user_name": "'user' || (i % 997)",
    "exe": "'/sw/prog' || (i % 311)",
    "program": "'prog' || (i % 311)",
    "nprocs": "1 << (i % 12)",
    "run_time_s": "60 + 7200 * r",
    "io_time_s": "0.1 + 600 * r * r",
    "io_time_mean_s": "0.05 + 40 * r",
    "io_time_cumulative_s": "(1 << (i % 12)) * 40 * r",
    "read_s": "(1 << (i % 12)) * 15 * r",
    "write_s": "(1 << (i % 12)) * 15 * r",
    "metadata_s": "(1 << (i % 12)) * 10 * r * r",
    "bytes_read": "(1e9 * exp(8 * r))::bigint",
    "bytes_written": "(5e8 * exp(8 * r))::bigint",
    "throughput_bytes_per_s": "1.5e9 * exp(8 * r) / (0.1 + 600 * r * r)",
    "behaviour": "i % 4000",
    "io_hash": "i % 40000",
    "is_partial": "i % 200 = 0",
    "is_python": "i % 5 = 0",
    "interface": "['posix', 'mpiio', 'hdf5', 'stdio', 'netcdf'][1 + i % 5]",
    "temporal_class": "['read_first', 'write_last', 'steady', 'bursty'][1 + i % 4]",
    "recoverable_s": "case when i % 4 = 0 then 100 * r end",
    "verdict": "'findings'",
}
RECORD = {
    "log_hash": JOB["log_hash"],
    "start_time": JOB["start_time"],
    "file_hash": "hash(case when k % 5 = 0 then k * 100000 + i % 100000 else i * 1000 + k end)::hugeint "
    "- 9223372036854775808::hugeint",
    "prefix": "'/lustre/proj' || (i % 211) || '/run' || (i % 53)",
    "suffix": "['h5', 'nc', 'txt', 'dat'][1 + k % 4]",
    "mount": "'/lustre'",
    "mount_class": "['lustre', 'nfs', 'local', 'lustre'][1 + k % 4]",
    "layers": "'posix'",
    "bytes_read": "case when k % 3 = 0 then 0 else (1e8 * q)::bigint end",
    "bytes_written": "case when k % 3 = 1 then 0 else (1e8 * q)::bigint end",
}
FINDING = {
    "log_hash": JOB["log_hash"],
    "start_time": JOB["start_time"],
    "check_id": "['posix/small-requests', 'posix/fsync-per-write', 'lustre/single-stripe'][1 + k]",
    "severity": "['high', 'warn', 'info'][1 + k]",
    "saved_s": "30 * r / (1 + k)",
    "explained_by": "null",
}
ACTIVITY = {
    "log_hash": JOB["log_hash"],
    "start_time": JOB["start_time"],
    "op": "['read', 'write'][1 + k % 2]",
    "bin": "(k // 2) * 5",
    "bin_s": "10 + 400 * r",
    "bytes": "(1e8 * q)::bigint",
    "is_estimate": "true",
}
TARGET = {
    "log_hash": JOB["log_hash"],
    "start_time": JOB["start_time"],
    "mount": "'/lustre'",
    "ost_id": "(i * 7 + k) % 96",
    "bytes_read": "1e8 * q",
    "bytes_written": "1e8 * q",
    "alone_files": "3",
    "alone_bytes": "(2e8 * q)::bigint",
    "alone_s": "0.05 + 0.2 * q",
    "alone_median_bytes_per_s": "1e9 * q",
}
METRIC = {
    "log_hash": JOB["log_hash"],
    "start_time": JOB["start_time"],
    "lustre_files": "i % 20",
    "one_stripe_large_files": "i % 3",
    "striped_small_files": "i % 2",
}
MANIFEST = {
    "path": JOB["path"],
    "log_hash": JOB["log_hash"],
    "status": "'ok'",
    "content_hash": "hash(i)::varchar",
    "version": "'1'",
    "seen": JOB["start_time"],
}
ACCOUNT = {
    "row_hash": JOB["log_hash"],
    "start_time": JOB["start_time"],
    "end_time": JOB["end_time"],
    "job_id": "i",
    "user_name": JOB["user_name"],
    "project": "'proj' || (i % 211)",
    "state": "case i % 9 when 0 then 'failed' else 'completed' end",
    "cores": JOB["nprocs"],
    "run_time_s": JOB["run_time_s"],
    "core_hours": "(1 << (i % 12)) * (60 + 7200 * r) / 3600",
}
PEAK = {
    "row_hash": JOB["log_hash"],
    "start_time": JOB["start_time"],
    "mount": "'/lustre'",
    "op": "'both'",
    "bytes_per_s": "1e12 * (1 + r)",
}
SERVER_METRIC = {
    "row_hash": JOB["log_hash"],
    "start_time": JOB["start_time"],
    "server": "'oss' || (i % 16)",
    "ost_id": "case when i % 2 = 0 then i % 16 end",
    "metric": "'busy'",
    "kind": "'busy'",
    "value": "case when i % 5000 = 0 then 10 else 0.1 + 0.1 * r end",
}
TYPES = {"i64": "bigint", "f64": "double", "str": "varchar", "bool": "boolean", "timestamp_ns": "timestamp_ns"}
USUAL = {"i64": "i % 100", "f64": "r", "str": "'x'", "bool": "false", "timestamp_ns": "null"}


def make(folder: pathlib.Path, jobs: int, files: int) -> None:
    """Writes the tables of a dataset."""
    (folder / "_diya.json").parent.mkdir(parents=True, exist_ok=True)
    about = {"version": 1, "is_anonymous": False, "is_release": False, "key_check": ""}
    (folder / "_diya.json").write_text(json.dumps(about))
    tables = [
        ("job", JOB, 1),
        ("record", RECORD, files),
        ("finding", FINDING, 3),
        ("activity", ACTIVITY, 6),
        ("job_target", TARGET, 4),
        ("metric", METRIC, 1),
        ("manifest", MANIFEST, 1),
        ("rank_host", {}, 0),
        ("job_layer", {}, 0),
        ("node_place", {}, 0),
        ("account", ACCOUNT, 1),
        ("peak", PEAK, 1),
        ("server_metric", SERVER_METRIC, 1),
    ]
    for table, known, each in tables:
        columns = tomllib.loads((ROOT / f"schema/fleet/{table}.toml").read_text())["columns"]
        made = [f"({known.get(c['name'], USUAL[c['type']])})::{TYPES[c['type']]} as {c['name']}" for c in columns]
        for month in range(12):
            low, high = jobs * month // 12, jobs * (month + 1) // 12
            if table == "peak":
                high = min(high, low + 2)
            source = f"""select i, hash(i * 3 + 1) / 18446744073709551616.0 as r,
                k, hash(i * 1000 + k) / 18446744073709551616.0 as q
                from range({low}, {high}) as a(i), range({each}) as b(k)"""
            text = f"select {', '.join(made)} from ({source})".replace("$jobs", str(jobs))
            system = SYSTEMS[month % 2]
            below = "" if table == "manifest" else f"year=2024/month={month + 1}"
            place = folder / table / f"system={system}" / below
            place.mkdir(parents=True, exist_ok=True)
            name = f"made-{system}.{month}.parquet" if table == "manifest" else "made.0.parquet"
            duckdb.sql(f"copy ({text}) to '{place / name}' (format parquet, compression zstd, row_group_size 262144)")


def measured(command: list[str]) -> tuple[float, float, float, str]:
    """Wall s, processor s, peak MiB and output of a process."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{command} failed")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output


def fastest(ours: list[str], theirs: list[str], repeats: int) -> tuple:
    """Both commands in turns, of each the run that took least: other work only adds."""
    runs = [(measured(ours), measured(theirs)) for _ in range(repeats)]
    return min(run[0] for run in runs), min(run[1] for run in runs)


def with_duckdb(folder: str, sql: str) -> None:
    """Runs as a process of its own: prints the rows as JSON."""
    db = duckdb.connect()
    db.execute(f"set threads = {len(os.sched_getaffinity(0))}; set timezone = 'UTC'")
    db.execute(MACROS)
    for table in pathlib.Path(folder).iterdir():
        if table.is_dir() and not table.name.startswith("_"):
            db.execute(
                f"create view {table.name} as select * from "
                f"read_parquet('{table}/**/*.parquet', hive_partitioning = true)"
            )
    rows = db.execute(sql).fetchall()
    print(json.dumps([[plain(value) for value in row] for row in rows]))


def plain(value: object) -> object:
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def equal(ours: str, theirs: str, columns: list[dict]) -> bool:
    """The same rows; reals to six digits, as many as the engine interpolates percentiles with; times
    are not compared (they are written in two ways)."""
    ours_rows = [[row.get(c["name"]) for c in columns] for row in json.loads(ours)]
    theirs_rows = json.loads(theirs)
    if len(ours_rows) != len(theirs_rows):
        return False

    def same(a: object, b: object, kind: str) -> bool:
        if kind == "timestamp" or a is None or b is None or isinstance(a, str):
            return kind == "timestamp" or a == b
        return math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1e-9)

    return all(same(a, b, c["kind"]) for x, y in zip(ours_rows, theirs_rows) for a, b, c in zip(x, y, columns))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--diya", required=True)
    parser.add_argument("--jobs", type=int, default=200_000)
    parser.add_argument("--files", type=int, default=25, help="files of a job")
    parser.add_argument("--keep", help="folder of the dataset; made unless it is there")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--repeats", type=int, default=1, help="runs of each; the fastest counts")
    parser.add_argument("--json", help="file for the numbers, for benches/fleet_cost.py")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        if not (folder / "job").is_dir():
            make(folder, options.jobs, options.files)
        questions = json.loads(measured([options.diya, "--json", "fleet", "ask"])[3])
        missed, sums, results = [], [0.0, 0.0], []
        print(
            f"| question | diya: wall s | CPU s | MiB | "
            f"DuckDB: wall s | CPU s | MiB | times | rows equal |\n|---|{'---:|' * 8}"
        )
        for question in questions:
            name, sql = question["name"], question["sql"]
            if options.only and name not in options.only:
                continue
            for param in sorted(question["params"], key=lambda p: -len(p["name"])):
                sql = sql.replace(f"${param['name']}", f"{param['default']:.17g}")
            ours, theirs = fastest(
                [options.diya, "--json", "fleet", "ask", str(folder), name],
                [sys.executable, __file__, "--with-duckdb", str(folder), sql],
                options.repeats,
            )
            is_equal = equal(ours[3], theirs[3], question["columns"])
            sums = [sums[0] + ours[0], sums[1] + theirs[0]]
            times = ours[0] / theirs[0]
            if not is_equal or (times > 1.5 and theirs[0] >= 0.5):
                missed.append(name)
            results.append({"name": name, "diya": ours[:3], "duckdb": theirs[:3], "is_equal": is_equal})
            print(
                f"| {name} | {ours[0]:.2f} | {ours[1]:.2f} | {ours[2]:.0f} | "
                f"{theirs[0]:.2f} | {theirs[1]:.2f} | {theirs[2]:.0f} | "
                f"{times:.2f} | {'yes' if is_equal else 'NO'} |",
                flush=True,
            )
        print(f"| all | {sums[0]:.2f} | | | {sums[1]:.2f} | | | {sums[0] / max(sums[1], 1e-9):.2f} | |")
        if options.json:
            about = {"jobs": options.jobs, "files": options.files, "duckdb": duckdb.__version__}
            pathlib.Path(options.json).write_text(json.dumps({**about, "questions": results}))
        if missed or sums[0] > sums[1]:
            print("missed:", ", ".join(missed) or "the sum")
            return 1
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--with-duckdb"]:
        with_duckdb(sys.argv[2], sys.argv[3])
    else:
        sys.exit(main())
