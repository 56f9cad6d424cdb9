"""Recomputes the numbers of reports from the raw rows of their logs, and compares.

    recompute.py --diya PATH LOG...

`recomputed.toml` says what each number means, as a query of its own. DuckDB answers it from the tables that
`diya export` writes: neither the engine, nor the metrics, nor the checks of diya take part. Only logs with single
calls are taken; numbers without a definition are counted, and named with --verbose.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

import duckdb

HERE = Path(__file__).parent
#: Bounds and savings are estimates: nothing in the rows says what they are.
ESTIMATED = {"lost_low_s", "lost_high_s", "saved_s"}
#: Seconds are sums in another order.
CLOSE = 1e-6

VIEWS = """
create table c as
select call.*, file.path, file.kind, coalesce(file.parent_id, call.file_id) as in_file
from call left join file using (log, file_id)
where coalesce(file.kind, 'file') <> 'pipe'
  and not regexp_matches(coalesce(file.path, ''), '^/(proc|sys|dev)/');
create table large as -- calls on files that are read or written, in this direction, beyond 1 MiB
select c.* from c
join (select file_id, op from c where layer = 'posix' group by all having max(offset_bytes + size_bytes) > 1048576) beyond
  on beyond.file_id = c.file_id and beyond.op = c.op
where c.layer = 'posix';
create view mine as
select * from c
where not regexp_matches(coalesce(path, ''), '^/(usr|etc|lib[^/]*|bin|sbin|proc|sys|dev)/')
  and not regexp_matches(coalesce(path, ''), '/(site-packages|dist-packages|lib/python[^/]*|lib64/python[^/]*)/');
create view own as
select c.* from c left join call p on p.log = c.log and p.call_id = c.parent_id and p.layer = c.layer
where p.call_id is null;
"""


def tables(diya: str, log: str, folder: Path) -> duckdb.DuckDBPyConnection | None:
    """The raw rows of a log; nothing where it has no single calls."""
    subprocess.run([diya, "export", "-q", "-o", str(folder), "--tables", "call", "--tables", "file", log],
                   check=True, capture_output=True)
    found = {path.stem for path in folder.glob("*.parquet")}
    if "call" not in found:
        return None
    base = duckdb.connect()
    for name in ("call", "file"):
        if name in found:
            base.execute(f"create view {name} as select * from '{folder / name}.parquet'")
    base.execute(VIEWS)
    return base


def same(printed: float, found: float) -> bool:
    return math.isclose(printed, found, rel_tol=CLOSE, abs_tol=CLOSE)


def compare(base: duckdb.DuckDBPyConnection, report: dict, definitions: dict, seen: Counter) -> list[str]:
    """Numbers that come out otherwise, in words."""
    wrong = []
    is_recording = base.execute("select count(function) > 0 from call").fetchone()[0]
    for finding in report["findings"]:
        known = definitions.get(finding["id"], {})
        for row in finding["evidence"]:
            for name, printed in row["values"].items():
                if name in ESTIMATED or isinstance(printed, bool) or not isinstance(printed, (int, float)):
                    continue
                query = known.get(name)
                if query is None:
                    seen[f"{finding['id']}.{name}"] += 1
                    continue
                names = set(re.findall(r"\$(\w+)", query))
                values = {key: int(value) if key == "file_id" else value
                          for key, value in row["values"].items() if key in names}
                found = base.execute(query, values).fetchone()[0]
                if found is None and not is_recording:
                    continue  # DXT has reads and writes only
                seen["recomputed"] += 1
                if found is None or not same(printed, float(found)):
                    numbers = f"{name} is {printed} in the report, {found} in the rows"
                    wrong.append(f"{finding['id']}: {numbers}: {row['text']}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--diya", required=True)
    parser.add_argument("--verbose", action="store_true", help="names the numbers without a definition")
    args = parser.parse_args()
    definitions = tomllib.loads((HERE / "recomputed.toml").read_text())
    seen, faults, logs = Counter(), 0, 0
    for log in args.logs:
        with tempfile.TemporaryDirectory() as folder:
            base = tables(args.diya, log, Path(folder))
            if base is None:
                continue
            answer = subprocess.run([args.diya, "report", "-q", "--format", "json", log], check=True,
                                    capture_output=True, text=True)
            logs += 1
            for fault in compare(base, json.loads(answer.stdout), definitions, seen):
                faults += 1
                print(f"{log}: {fault}")
    undefined = {name: count for name, count in seen.items() if name != "recomputed"}
    if args.verbose:
        for name, count in sorted(undefined.items(), key=lambda item: -item[1]):
            print(f"no definition: {name} ({count})")
    print(f"recompute: {logs} logs, {seen['recomputed']} numbers recomputed, {faults} different, "
          f"{sum(undefined.values())} without a definition")
    return 1 if faults or not seen["recomputed"] else 0


if __name__ == "__main__":
    sys.exit(main())
