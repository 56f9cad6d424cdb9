"""Reports every public log, and lists those that leave a reader without an answer.

    python3 lab/public/public_logs.py --diya PATH --logs DIR --out DIR [--again]

A log that spends at least half of its run in I/O has a finding above INFO or a reason
why not; a log with negligible I/O has no finding above INFO. Keeps one report per log
in --out, asks diya only for what is not there (--again: for all), and writes
lab/public/public-logs.md. The logs themselves are not part of this repository.
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

PAGE = Path(__file__).parent / "public-logs.md"
ENDINGS = (".darshan", ".darshan.gz", ".diya")
LIMIT_S = 300
HALF, NEGLIGIBLE = 0.5, 0.02  # of the run
SHORT_S = 0.1  # savings below it are no WARN
LOUD = ("high", "warn")
# Kinds of verdicts that are a reason, as the page names them; the verdict says more.
KINDS = {"at_speed": "device speed", "not_judged": "could not be judged", "not_the_problem": "small savings only"}
HEAD = """# Public logs: reports without a finding

Every log of the public sets (`$DIYA_SHARED/logs/public`, not part of this repository)
is reported. Two lists follow: logs that spend at least half of the run in I/O and have
no finding above INFO, each with the reason that the report gives, and logs with
negligible I/O (below 2 %) that have one, which must not be.
Made by `lab/public/public-logs.sh`.
"""


def logs_in(folder: Path, unpacked: Path) -> dict[str, Path]:
    """The logs below a folder, those inside its archives unpacked, by name."""
    logs = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = str(path.relative_to(folder))
        if name.endswith(ENDINGS):
            logs[name] = path
        elif name.endswith(".tar.gz"):
            with tarfile.open(path) as archive:
                for member in archive.getmembers():
                    if member.isfile() and member.name.endswith(ENDINGS):
                        archive.extract(member, unpacked / name)
                        logs[f"{name}:{member.name}"] = unpacked / name / member.name
    return logs


def report_of(diya: str, log: Path) -> dict:
    """The report, or why there is none."""
    try:
        answer = subprocess.run(
            [diya, "report", "-q", "--format", "json", str(log)], capture_output=True, text=True, timeout=LIMIT_S
        )
    except subprocess.TimeoutExpired:
        return {"error": f"no report after {LIMIT_S} s"}
    if answer.returncode:
        return {"error": answer.stderr.strip()[-300:] or f"exit {answer.returncode}"}
    report = json.loads(answer.stdout)
    report = report[0] if isinstance(report, list) else report
    # Metrics are most of a report, and not read here.
    report["metrics"] = {}
    return report


def reason(report: dict) -> str:
    """Why a log full of I/O has no finding above INFO, as its report says."""
    verdict = report["verdict"]
    names = {finding["id"]: finding for finding in report["findings"]}
    if (verdict["io_s"] or 0.0) < SHORT_S:
        return "short run"
    kind = KINDS.get(verdict.get("kind"))
    if kind:
        return kind
    if "job/unexplained-io" in names:
        return "unexplained: " + names["job/unexplained-io"]["text"]
    if "job/partial-log" in names:
        return "could not be judged: " + names["job/partial-log"]["text"]
    # The verdict is silent: say at least what the report lists below it.
    if not report["unknown"]:
        return "unexplained: the report gives no reason"
    most, count = Counter(check["reason"] for check in report["unknown"]).most_common(1)[0]
    return (
        f"unexplained: the report gives no reason; {len(report['unknown'])} checks are unknown, {count} because {most}"
    )


def seconds(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3g} s"


def rate_text(mebibytes: float) -> str:
    return f"{mebibytes / 1024:.3g} GiB/s" if mebibytes >= 1000 else f"{mebibytes:.3g} MiB/s"


def cell(text: str) -> str:
    """One line for a table."""
    return " ".join(text.replace("|", "\\|").split())[:400]


def line(name: str, report: dict, *more: str) -> str:
    verdict = report["verdict"]
    rate = verdict["throughput_bytes_per_s"]
    speed = "unknown" if rate is None else rate_text(rate / (1 << 20))
    return (
        f"| {name} | {seconds(verdict['io_s'])} of {seconds(verdict['run_s'])} | {speed} | "
        + " | ".join(cell(text) for text in more)
        + " |"
    )


def loud_of(report: dict) -> list[str]:
    return [
        f"{finding['severity'].upper()} {finding['id']}"
        for finding in report["findings"]
        if finding["severity"] in LOUD
    ]


def page(reports: dict[str, dict]) -> str:
    """All of lab/public/public-logs.md."""
    failed = {name: r for name, r in reports.items() if "error" in r}
    opened = {name: r for name, r in reports.items() if "error" not in r}
    shares = {name: r["verdict"]["io_share"] for name, r in opened.items()}
    heavy = {name: r for name, r in opened.items() if (shares[name] or 0.0) >= HALF}
    silent = {name: r for name, r in heavy.items() if not loud_of(r)}
    light = {name: r for name, r in opened.items() if shares[name] is not None and shares[name] < NEGLIGIBLE}
    wrong = {name: r for name, r in light.items() if loud_of(r)}
    counts = [
        ("logs", reports),
        ("reported", opened),
        ("not opened", failed),
        ("I/O time unknown", [n for n in opened if shares[n] is None]),
        ("at least 50 % I/O", heavy),
        ("... without a finding above INFO", silent),
        ("negligible I/O", light),
        ("... with a finding above INFO", wrong),
    ]
    lines = [HEAD, "| | logs |", "|---|---|"]
    lines += [f"| {name} | {len(group)} |" for name, group in counts]
    lines += ["", "## At least 50 % I/O, no finding above INFO", ""]
    reasons = Counter(reason(r).split(":")[0] for r in silent.values())
    lines += [f"- {name}: {count}" for name, count in reasons.most_common()]
    lines += ["", "| log | I/O | throughput | reason | what the report says |", "|---|---|---|---|---|"]
    lines += [line(name, r, reason(r), r["verdict"]["text"]) for name, r in silent.items()]
    lines += ["", "## Negligible I/O, with a finding above INFO", ""]
    lines += ["| log | I/O | throughput | findings |", "|---|---|---|---|"] if wrong else ["None."]
    lines += [line(name, r, ", ".join(loud_of(r))) for name, r in wrong.items()]
    if failed:
        lines += ["", "## Not opened", ""]
        lines += [f"- {name}: {cell(r['error'])}" for name, r in failed.items()]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", required=True)
    parser.add_argument("--logs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--again", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    reports = {}
    with tempfile.TemporaryDirectory(prefix="diya-public.") as unpacked:
        logs = logs_in(args.logs, Path(unpacked))
        if not logs:
            sys.exit(f"no logs in {args.logs}: DIYA_SHARED names the folder of logs/public")
        for number, (name, log) in enumerate(logs.items(), 1):
            kept = args.out / (name.replace("/", "+") + ".json")
            if args.again or not kept.exists():
                kept.write_text(json.dumps(report_of(args.diya, log)))
            reports[name] = json.loads(kept.read_text())
            print(f"{number} of {len(logs)}: {name}", file=sys.stderr, flush=True)
    PAGE.write_text(page(reports))
    wrong = sum(
        1
        for r in reports.values()
        if "error" not in r and loud_of(r) and (r["verdict"]["io_share"] or 1.0) < NEGLIGIBLE
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
