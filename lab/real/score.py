"""Compares what diya said of real programs with the verdicts fixed before.

    python3 lab/real/score.py --results DIR [--keep first|now]

Prints one row per program. `--keep` writes the rows to lab/real/KEEP.json and then
lab/real/real-programs.md (page.py) from all that are kept.
"""

import argparse
import json
import tomllib
from pathlib import Path

import contradictions
import page
import run

HERE = Path(__file__).parent
LOUD = ("high", "warn", "unexplained")
TOP = 3
# Findings that save less are INFO by design (`least_s` of the checks).
LEAST_S = 0.1


def checks_of(causes: list[str], table: dict) -> set[str]:
    return {check for cause in causes for check in table[cause]}


def place_of(own: list[dict], right: set[str]) -> str:
    """Where the first true finding stands among those above INFO."""
    loud = [finding["id"] for finding in own if finding["severity"] in LOUD]
    places = [place for place, name in enumerate(loud) if name in right]
    if places:
        return "first" if places[0] == 0 else f"top {TOP}" if places[0] < TOP else "later"
    quiet = any(f["severity"] == "info" and f["id"] in right for f in own)
    return "info" if quiet else "missed"


def is_below_floor(report: dict, right: set[str]) -> bool:
    """Whether the right findings save too little to be above INFO in a run this short."""
    savings = [contradictions.saving_s(f) for f in report["findings"] if f["id"] in right]
    return all(saving is not None and saving < LEAST_S for saving in savings)


def judge(program: dict, report: dict, table: dict) -> dict:
    """Whether one report says what the expert says."""
    own = [finding for finding in report["findings"] if not finding.get("explained_by")]
    right = checks_of(program.get("causes", []), table)
    allowed = right | checks_of(program.get("also", []), table)
    false = [f["id"] for f in own if f["severity"] in LOUD and f["id"] not in allowed]
    wanted, kind = program["verdict"], report["verdict"].get("kind")
    row = {"false": false, "place": "-"}
    if wanted == "causes":
        row["place"] = place_of(own, right)
        named = row["place"] in ("first", f"top {TOP}")
        enough = named or (
            row["place"] == "info"
            and (program.get("small", False) or (kind != "not_judged" and is_below_floor(report, right)))
        )
        row["agrees"] = enough and not false
    elif wanted == "negligible":
        # A verdict that could not be reached is no "I/O is not the problem".
        row["agrees"] = not false and kind != "not_judged"
    elif wanted == "device speed":
        row["agrees"] = not false and kind in (None, "at_speed")
    else:
        row["agrees"] = not false and kind in (None, "not_judged")
    return row


def top(report: dict) -> list[str]:
    """The first findings with their severity and saving."""
    words = []
    for finding in report["findings"][:TOP]:
        saving = contradictions.saving_s(finding)
        price = "" if saving is None else f" {saving:.2g} s"
        words.append(f"{finding['severity'].upper()} {finding['id']}{price}")
    return words


def row_of(program: dict, result: dict, table: dict) -> dict:
    report = result["report"]
    verdict = report["verdict"]
    return {
        "name": program["name"],
        "verdict": program["verdict"],
        "causes": program.get("causes", []),
        "run_s": verdict["run_s"],
        "io_s": verdict["io_s"],
        "io_share": verdict["io_share"],
        "said": verdict["text"],
        "top": top(report),
        **judge(program, report, table),
        "contradictions": contradictions.of(program, report, result["text"]),
        "words": contradictions.wording(report),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--keep", choices=["first", "now"])
    args = parser.parse_args()
    table = tomllib.loads((HERE.parent / "rounds" / "causes.toml").read_text())
    rows = []
    for program in run.programs():
        path = args.results / f"{program['name']}.json"
        if path.exists():
            rows.append(row_of(program, json.loads(path.read_text()), table))
    for row in rows:
        words = [
            "agrees" if row["agrees"] else "DIFFERS",
            row["name"],
            ", ".join(row["causes"]) or row["verdict"],
            row["place"],
            row["said"],
            "; ".join(row["top"]),
        ]
        words += ["FALSE " + ", ".join(row["false"])] if row["false"] else []
        print(" | ".join(words))
        for sentence in row["contradictions"]:
            print(f"    contradiction: {sentence}")
        for sentence in row["words"]:
            print(f"    words: {sentence}")
    print()
    for name, value in page.summary(rows).items():
        print(f"{name}: {value}")
    if args.keep:
        (HERE / f"{args.keep}.json").write_text(json.dumps(rows, indent=1) + "\n")
        page.write()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
