#!/usr/bin/env python3
"""Records ten configurations of public benchmarks and says whether the first findings are right.

    benchmarks.py --diya PATH --bin FOLDER --out FOLDER [--only NAME ...]

`benchmarks.toml` holds the configurations and their answers. Each runs bare and mended three times,
and once recorded with call stacks; the report of the recording stays in --out.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "rounds"))
CAUSES = tomllib.loads((HERE.parent / "rounds/causes.toml").read_text())
TRIES = 3
LOUD = {"high", "warn"}


def seconds(words: list[str]) -> float:
    """Of one run in an empty folder."""
    with tempfile.TemporaryDirectory(prefix="diya-benchmark.", dir="/var/tmp") as folder:
        started = time.monotonic()
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        return time.monotonic() - started


def judged(config: dict, report: dict) -> dict:
    """Where the true cause stands among the findings above INFO, and what is not true."""
    loud = [f["id"] for f in report["findings"] if f["severity"] in LOUD and not f.get("explained_by")]
    names = lambda causes: {check for cause in causes for check in CAUSES.get(cause, [])}  # noqa: E731
    right = names([config["cause"]])
    place = next((at for at, check in enumerate(loud, 1) if check in right), None)
    allowed = right | names(config["also"])
    return {"place": place, "loud": loud, "other": [check for check in loud if check not in allowed]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("--diya", "--bin", "--out"):
        parser.add_argument(name, type=lambda path: Path(path).resolve(), required=True)
    parser.add_argument("--mpirun", default="mpirun.mpich")
    parser.add_argument("--only", nargs="*", default=[])
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for config in tomllib.loads((HERE / "benchmarks.toml").read_text())["config"]:
        name = config["name"]
        if args.only and name not in args.only:
            continue
        shell = lambda key: ["sh", "-c", config[key].replace("{bin}", str(args.bin)).replace("{mpirun}", args.mpirun)]  # noqa: E731,B023
        log = args.out / f"{name}.diya"
        before_s = min(seconds(shell("run")) for _ in range(TRIES))
        after_s = min(seconds(shell("after")) for _ in range(TRIES)) if "after" in config else None
        record = [str(args.diya), "run", "-q", "--stacks", "--force", "-o", str(log), "--", *shell("run")]
        recorded_s = seconds(record)
        said = subprocess.run([args.diya, "report", "--format", "json", log], capture_output=True, check=True).stdout
        (args.out / f"{name}.json").write_bytes(said)
        report = json.loads(said)
        first = report["findings"][0] if report["findings"] else {}
        row = {"name": name, "cause": config["cause"], **judged(config, report)}
        row |= {"before_s": round(before_s, 2), "recorded_s": round(recorded_s, 2), "saved_s": first.get("saved_s")}
        row |= {"true_s": None if after_s is None else round(before_s - after_s, 2), "load": round(os.getloadavg()[0], 1)}
        print(json.dumps(row), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
