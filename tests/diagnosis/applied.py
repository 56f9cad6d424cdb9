#!/usr/bin/env python3
"""What `diya run --apply` alone reaches on the programs of the rounds, and what it breaks.

    python3 tests/diagnosis/applied.py --diya PATH --work FOLDER [--rounds 9 10 11] [--only NAME ...]

Each program runs recorded, in turns: as it is, with what `diya tune` wrote for its own
recording, with `--apply auto`, and its mended variant as it is. The quickest run of each
counts. Files that differ between two plain runs (dates, random numbers) are not compared; all
others have to be the same byte for byte.

Writes docs/applied.md; `scripts/applied.sh` calls it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/rounds"))

from run import Program, absolute, expected  # noqa: E402

#: Share of the time by which `auto` may make a program slower.
SLOWER = 0.05
#: Share of the mended variant's saving that counts as reached.
REACHED = 0.5
#: Runs of each variant; more where the two quickest of the plain runs differ by more than QUIET.
TRIES, MOST_TRIES, QUIET = 3, 6, 0.03


@dataclass
class Runs:
    """Times of a variant, and its files by name."""

    seconds: list[float] = field(default_factory=list)
    files: list[dict[str, str]] = field(default_factory=list)

    @property
    def best_s(self) -> float:
        return min(self.seconds)

    @property
    def noise(self) -> float:
        """By how much the two quickest runs differ, as a share."""
        first, second = sorted(self.seconds)[:2]
        return (second - first) / first


def digests(folder: Path) -> dict[str, str]:
    """The files that a program left, by their path."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in found}


def changed(plain: Runs, other: Runs) -> list[str]:
    """Files that are the same in all plain runs, and not in one of the others."""
    first, *rest = plain.files
    stable = {name for name, digest in first.items() if all(one.get(name) == digest for one in rest)}
    names = set.intersection(*(set(one) for one in plain.files))
    differs = {name for one in other.files for name in stable if one.get(name) != first[name]}
    return sorted(differs | {name for one in other.files for name in names - set(one)})


def measure(case: Path, args: argparse.Namespace, folders: Path) -> dict:
    """Runs a program in all ways."""
    spec = expected(case)
    before = Program(case, spec, "before", folders, args.python)
    after = Program(case, spec, "after", folders, args.python) if spec["kind"] == "fault" else None
    log, settings = args.work / f"{case.name}.diya", args.work / f"{case.name}.settings"
    record = [args.diya, "run", "-q", "--force", "-o", str(log)]
    runs = {name: Runs() for name in ("plain", "tuned", "auto", "mended")}

    def once(name: str, program: Program, *options: str) -> None:
        # What is recorded with settings is no ground for settings.
        words = record if name == "plain" else [*record[:-1], str(args.work / f"{case.name}.{name}.diya")]
        runs[name].seconds.append(program.run([*words, *options, "--"], look=lambda f: runs[name].files.append(digests(f))))

    once("plain", before)
    subprocess.run([args.diya, "tune", "-q", str(log), "-o", str(settings)], check=True, capture_output=True)
    is_tuned = settings.exists() and bool(applicable(settings))
    for turn in range(MOST_TRIES):
        if turn >= TRIES and runs["plain"].noise <= QUIET:
            break
        once("plain", before)
        once("auto", before, "--apply", "auto")
        if is_tuned:
            once("tuned", before, "--apply", str(settings))
        if after:
            once("mended", after)
    result = {"name": case.name, "round": case.parent.name, "kind": spec["kind"], "settings": applicable(settings) if is_tuned else []}
    for name, one in runs.items():
        if one.seconds:
            result[name] = {"s": one.best_s, "noise": one.noise if len(one.seconds) > 1 else 0.0}
    for name in ("tuned", "auto"):
        if runs[name].seconds:
            result[name]["changed"] = changed(runs["plain"], runs[name])
    return result


def applicable(settings: Path) -> list[str]:
    """Names of the settings that `diya run --apply FOLDER` takes from a folder."""
    names = []
    for file in ("program.conf", "romio-hints.txt", "openmpi-mca-params.conf"):
        path = settings / file
        lines = path.read_text().splitlines() if path.exists() else []
        names += [line.split()[0] for line in lines if line and not line.startswith("#")]
    return sorted(set(names))


def share(result: dict) -> float | None:
    """Share of the mended variant's saving that the settings reach; None: nothing to reach."""
    if "tuned" not in result or "mended" not in result:
        return None
    plain_s = result["plain"]["s"]
    best_s = plain_s - result["mended"]["s"]
    worth_s = max(result["plain"]["noise"] * plain_s, SLOWER * plain_s)
    return (plain_s - result["tuned"]["s"]) / best_s if best_s > worth_s else None


def is_slower(result: dict, name: str) -> bool:
    """By more than the limit, and by more than the noise of both."""
    if name not in result:
        return False
    noise = max(SLOWER, result["plain"]["noise"], result[name]["noise"])
    return result[name]["s"] > result["plain"]["s"] * (1 + noise)


def risky() -> set[str]:
    """Settings that are not applied without `--accept`: here they are not."""
    tomls = (tomllib.loads(path.read_text()) for path in (ROOT / "tuning/program").glob("*.toml"))
    return {setting["key"] for setting in tomls if "risk" in setting}


def page(results: list[dict]) -> str:
    """The table as Markdown."""
    needs_yes = risky()
    # A setting that waits for a yes changed nothing in this run.
    results = [r if set(r["settings"]) - needs_yes else {k: v for k, v in r.items() if k != "tuned"} for r in results]
    tuned = [r for r in results if "tuned" in r]
    shares = {r["name"]: share(r) for r in results}
    judged = [value for value in shares.values() if value is not None]
    changed_by = {name: sum(bool(r.get(name, {}).get("changed")) for r in results) for name in ("tuned", "auto")}
    slower = {name: [r["name"] for r in results if is_slower(r, name)] for name in ("tuned", "auto")}
    lines = [
        "# What settings reach without a change of the program",
        "",
        "`scripts/applied.sh` writes this page: programs of the rounds ([tests/rounds](../tests/rounds/README.md)), each recorded in turns as it",
        "is, with what `diya tune` wrote for its recording (`--apply FOLDER`), with `--apply auto`, and its mended variant.",
        "Times are shares of the plain run, the quickest of at least three each.",
        "",
        f"- {len(results)} programs. Results changed: {changed_by['tuned']} with the settings of `diya tune`, {changed_by['auto']} with `auto`.",
        f"- Slower by more than 5 % and the noise: {len(slower['tuned'])} with `diya tune`{named(slower['tuned'])}, {len(slower['auto'])} with `auto`{named(slower['auto'])}.",
        f"- `diya tune` had settings for {len(tuned)} programs. Of {len(judged)} of them whose mended variant is quicker by more than 5 %,"
        f" the settings reach at least half of its saving in {sum(value >= REACHED for value in judged)}.",
        "",
        "| program | settings | with them | with auto | mended | share of the saving | result |",
        "|---|---|---:|---:|---:|---:|---|",
    ]
    for r in results:
        ratio = lambda name: f"{r[name]['s'] / r['plain']['s']:.2f}" if name in r else "-"  # noqa: E731
        reached = shares[r["name"]]
        differs = sorted({file for name in ("tuned", "auto") for file in r.get(name, {}).get("changed", [])})
        lines.append(
            f"| {r['name']} | {', '.join(f'{name} (needs `--accept`)' if name in needs_yes else name for name in r['settings']) or '-'} | {ratio('tuned')} | {ratio('auto')} | {ratio('mended')} |"
            f" {'-' if reached is None else f'{reached:.0%}'} | {'changed: ' + ', '.join(differs) if differs else 'equal'} |"
        )
    return "\n".join(lines) + "\n"


def named(names: list[str]) -> str:
    return f" ({', '.join(names)})" if names else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=absolute, required=True)
    parser.add_argument("--work", type=absolute, required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", nargs="*", default=["9", "10", "11"])
    parser.add_argument("--only", nargs="*", default=[])
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    kept = args.work / "results.json"
    results = {r["name"]: r for r in json.loads(kept.read_text())} if kept.exists() else {}
    cases = [path.parent for number in args.rounds for path in sorted((ROOT / "tests/rounds" / number).glob("*/case.toml"))]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="diya-applied.", dir="/var/tmp") as folders:
        for case in cases:
            if args.only and case.name not in args.only:
                continue
            try:
                results[case.name] = measure(case, args, Path(folders))
            except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
                failed += 1
                detail = getattr(error, "stderr", b"") or b""
                print(f"{case.name}: FAILED {error} {detail[-300:]!r}", file=sys.stderr, flush=True)
                continue
            print(json.dumps(results[case.name]), flush=True)
            kept.write_text(json.dumps(list(results.values()), indent=1))
    (ROOT / "docs/applied.md").write_text(page(list(results.values())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
