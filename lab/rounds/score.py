"""Scores what run.py measured against the answers fixed before.

    python3 lab/rounds/score.py ROUND --results DIR [--keep first|unseen|repaired]

Prints one row per program and the shares of the round. `--keep` writes the shares
to lab/rounds/ROUND/KEEP.json; lab/rounds/truth.md is made of these files (page.py).
"""

import argparse
import json
import re
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
LOUD = ("high", "warn")
# A planted fault whose mended variant saves less than this share of the run is none
# on this machine: it is left out, whatever was said of it.
MIN_SAVING_SHARE = 0.2


def judged(round_name: str) -> dict:
    """What a person decided after reading: remedies, and findings that are true."""
    path = HERE / round_name / "judged.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


def causes_of(check: str, causes: dict) -> set[str]:
    return {cause for cause, checks in causes.items() if check in checks}


def score(result: dict, causes: dict, verdict: dict, is_repaired: bool, has_darshan: bool = True) -> dict:
    """How one program came out."""
    spec = result["case"]
    own = [f for f in result["report"]["findings"] if not f.get("explained_by")]
    loud = [f for f in own if f["severity"] in LOUD]
    wanted = {spec.get("cause")}  # none: a healthy program
    allowed = wanted | set(spec.get("also", []))
    names = [f["id"] for f in loud]
    hits = [n for n, f in enumerate(loud) if causes_of(f["id"], causes) & wanted]
    quiet = [f for f in own if f["severity"] == "info" and causes_of(f["id"], causes) & wanted]
    true_here = set(verdict.get("true", []))
    false = [n for n in names if not causes_of(n, causes) & allowed and n not in true_here]
    row = {"name": result["name"], "kind": spec["kind"], "cause": spec.get("cause"),
           "loud": names, "false": false}
    if spec["kind"] == "healthy":
        return row
    place = hits[0] if hits else None
    row["place"] = place_of(place, quiet)
    # A cause that is none of the list: a person read whether the first sentence or a finding names it.
    row["place"] = verdict.get("place", row["place"])
    if is_repaired:
        row["place"] = verdict.get("repaired_place", row["place"])
    # Rounds with answers about what takes the run, and for whom ranks wait.
    for key in ("leader", "late"):
        if key in verdict:
            row[key] = verdict.get(f"repaired_{key}", verdict[key]) if is_repaired else verdict[key]
    if has_darshan:
        row["darshan_place"] = darshan_place(result, causes, wanted)
    finding = loud[place] if place is not None else quiet[0] if quiet else None
    saving_s = result["times"]["before_s"] - result["times"]["after_s"]
    row["saving_s"] = round(saving_s, 2)
    remedy = verdict.get("remedy", "not judged")
    row["remedy"] = verdict.get("repaired", remedy) if is_repaired else remedy
    if finding is None:
        return row
    low, high = finding.get("lost_low_s"), finding.get("lost_high_s")
    number = finding.get("saved_s")
    if number is None and high is not None:
        number = ((low or 0.0) + high) / 2
    row |= {"check": finding["id"], "low_s": low, "high_s": high, "number_s": number}
    row["number_right"] = number is not None and saving_s > 0 and 0.5 <= number / saving_s <= 2
    row["narrow"] = bool(low and high and high / low <= 3)
    lines = set(spec.get("lines", []))  # of before.*
    places = [re.search(r"\(([^()]*:\d+)\)", place) for place in finding.get("source", [])]
    places = [place.group(1) for place in places if place]
    row["sources"] = [Path(place).name for place in places[:3]]
    row["line_right"] = any(Path(p.rsplit(":", 1)[0]).stem == "before"
                            and int(p.rsplit(":", 1)[-1]) in lines for p in places[:1])
    return row


def place_of(place: int | None, quiet: list) -> str:
    """Where the true cause stands among the findings above INFO."""
    if place is None:
        return "info" if quiet else "missed"
    return "first" if place == 0 else "top 3" if place < 3 else "later"


def darshan_place(result: dict, causes: dict, wanted: set[str]) -> str:
    """The same, of the same run kept as a Darshan log."""
    findings = result.get("darshan_report", {}).get("findings", [])
    own = [f for f in findings if not f.get("explained_by")]
    loud = [f for f in own if f["severity"] in LOUD]
    hits = [n for n, f in enumerate(loud) if causes_of(f["id"], causes) & wanted]
    quiet = [f for f in own if causes_of(f["id"], causes) & wanted]
    return place_of(hits[0] if hits else None, quiet)


def is_planted(result: dict) -> bool:
    """A healthy program, or a fault that costs something here."""
    times = result["times"]
    return "after_s" not in times or \
        times["before_s"] - times["after_s"] >= MIN_SAVING_SHARE * times["before_s"]


def share(rows: list[dict], of) -> str:
    hits = sum(1 for row in rows if of(row))
    return f"{hits} of {len(rows)}" + (f" ({100 * hits / len(rows):.0f} %)" if rows else "")


def shares(rows: list[dict]) -> dict:
    faults = [row for row in rows if row["kind"] == "fault"]
    healthy = [row for row in rows if row["kind"] == "healthy"]
    found = [row for row in faults if "check" in row]
    loud = [(row, name) for row in rows for name in row["loud"]]
    logs = [row for row in faults if "darshan_place" in row]
    led = [row for row in faults if "leader" in row]
    late = [row for row in faults if "late" in row]
    judged_ones = {
        "says what takes the run (judged)": share(led, lambda r: r["leader"] == "right"),
        "names the rank that others wait for (judged)": share(late, lambda r: r["late"] == "right"),
    } if led else {}
    return judged_ones | {
        "true cause first": share(faults, lambda r: r["place"] == "first"),
        "true cause in the top 3": share(faults, lambda r: r["place"] in ("first", "top 3")),
        "in the top 3 from a Darshan log of the same run": share(
            logs, lambda r: r["darshan_place"] in ("first", "top 3")),
        "only as INFO": share(faults, lambda r: r["place"] == "info"),
        "missed": share(faults, lambda r: r["place"] == "missed"),
        "findings above INFO that are true": share(loud, lambda x: x[1] not in x[0]["false"]),
        "healthy programs with a false alarm": share(healthy, lambda r: r["false"]),
        "right source line": share(found, lambda r: r["line_right"]),
        "right remedy (judged)": share(
            [r for r in faults if r["remedy"] != "not judged"], lambda r: r["remedy"] == "right"),
        "number within a factor of 2": share(found, lambda r: r["number_right"]),
        "range at most a factor of 3 wide": share(found, lambda r: r["narrow"]),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("round")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--keep", choices=["first", "unseen", "repaired"])
    args = parser.parse_args()
    causes = tomllib.loads((HERE / "causes.toml").read_text())
    verdicts = judged(args.round)
    rows = []
    for path in sorted(args.results.glob("*.json")):
        result = json.loads(path.read_text())
        if not is_planted(result):
            print(f"{result['name']} | left out: the mended variant saves too little here")
            continue
        rows.append(score(result, causes, verdicts.get(result["name"], {}), args.keep == "repaired",
                          verdicts.get("has_darshan", True)))
    for row in rows:
        words = [row["name"], row["kind"], row["cause"], row.get("place", "-")]
        if "check" in row:
            ends = "-" if row["high_s"] is None else f"{row['low_s'] or 0:.2f}..{row['high_s']:.2f} s"
            words += [row["check"], ends, f"saved {row['saving_s']} s",
                      "line right" if row["line_right"] else f"line {row['sources']}"]
        if row["false"]:
            words.append("FALSE " + ", ".join(row["false"]))
        print(" | ".join(str(word) for word in words))
    summary = shares(rows)
    print()
    for name, value in summary.items():
        print(f"{name}: {value}")
    if args.keep:
        kept = {"programs": len(rows), "shares": summary, "rows": rows}
        path = HERE / args.round / f"{args.keep}.json"
        path.write_text(json.dumps(kept, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
