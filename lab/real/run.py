"""Records real programs, and keeps what diya says of them.

    python3 lab/real/run.py --diya PATH --out DIR [--only NAME ...]

The programs, and the verdict that an expert gives on each, stand in programs.toml
and programs-python.toml. Writes one JSON file per program to --out: how long it
takes bare, and the report of a recording, which is kept beside it. `score.py`
compares what diya says with what the expert says.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests/witness"))
from job import Job  # noqa: E402

LIMIT_S = 180


def programs() -> list[dict]:
    """All of them, those of Debian first."""
    files = [HERE / "programs.toml", HERE / "programs-python.toml"]
    return [program for file in files for program in tomllib.loads(file.read_text())["program"]]


def bare_s(program: dict, python: str) -> float:
    """How long it takes without diya."""
    with tempfile.TemporaryDirectory(prefix="diya-real.", dir="/var/tmp") as folder:
        job = Job(program, python, folder, HERE, LIMIT_S)
        job.prepare()
        return job.run([])


def record(program: dict, diya: str, python: str, log: Path) -> None:
    """Leaves a recording of it."""
    with tempfile.TemporaryDirectory(prefix="diya-real.", dir="/var/tmp") as folder:
        job = Job(program, python, folder, HERE, LIMIT_S)
        job.prepare()
        job.run([diya, "run", "-q", "--stacks", "--force", "-o", str(log.absolute()), "--"])


def report(diya: str, log: Path, form: str) -> str:
    """What diya says of it; in which folder the job ran says nothing."""
    answer = subprocess.run(
        [diya, "report", "-q", "--color", "never", "--format", form, str(log)],
        check=True,
        capture_output=True,
        text=True,
    )
    return re.sub(r"/var/tmp/diya-real\.\w+/", "", answer.stdout)


def measure(program: dict, args: argparse.Namespace, kept: Path) -> dict:
    """What one program gives."""
    log = args.logs / f"{program['name']}.diya"
    if args.reports and kept.exists():
        seconds = json.loads(kept.read_text())["bare_s"]
    else:
        seconds = bare_s(program, args.python)
        record(program, args.diya, args.python, log)
    said = json.loads(report(args.diya, log, "json"))
    return {
        "name": program["name"],
        "bare_s": seconds,
        "text": report(args.diya, log, "text"),
        "report": said[0] if isinstance(said, list) else said,
    }


def detail_of(error: Exception) -> str:
    """The end of what a failed command said."""
    said = getattr(error, "stderr", None) or b""
    said = said.decode(errors="replace") if isinstance(said, bytes) else said
    return f"{error} {said[-300:]}".strip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--reports", action="store_true", help="only report anew what is recorded already")
    args = parser.parse_args()
    args.logs = args.out / "logs"
    args.logs.mkdir(parents=True, exist_ok=True)
    failed = 0
    for program in programs():
        if args.only and program["name"] not in args.only:
            continue
        kept = args.out / f"{program['name']}.json"
        try:
            result = measure(program, args, kept)
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            failed += 1
            print(f"{program['name']}: FAILED {detail_of(error)}", flush=True)
            continue
        kept.write_text(json.dumps(result, indent=1))
        print(f"{program['name']}: {result['bare_s']:.2f} s", flush=True)
    if failed:
        print(f"{failed} programs could not be recorded", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
