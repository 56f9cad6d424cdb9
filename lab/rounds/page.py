"""Writes lab/rounds/truth.md and truth-1-to-10.md: the scores of all rounds, first tries beside repaired ones.

    python3 lab/rounds/page.py
"""

import json
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
#: Causes whose calls Darshan neither counts nor times: no tool can find them in its logs.
NOT_IN_DARSHAN = {"compression", "directory-listing", "failed-opens", "file-locks", "hdf5-attributes",
                  "mapped-random-access", "process-per-item", "text-formatting", "truncate-extend"}
#: No finding is above INFO for less (docs/reference/lost-time.md).
LOUD_S = 0.1
PLACES = {"true cause first": ("first",), "true cause in the top 3": ("first", "top 3")}
HEAD = """# Truth: how right the diagnosis is on programs that nobody tuned on

Each round is a set of programs written without sight of the checks, with the answers
fixed before the first report ([lab/rounds](README.md)). **First try**
is the score before anything was mended for that round: only this column says how right
diya is on the next program. **Unseen** is a first try, too: the same recordings, reported
after mends by somebody who had not seen the round. **Repaired** is the score of the same
programs after mends for them.

The authors of these rounds are alike, and that flatters: of 31 faulty everyday programs by somebody who had
never seen diya (not in this repository), 18 had the true cause first, 21 in the top 3; 2 of 14 healthy ones got
a false alarm.

Made by `lab/rounds/round.sh ROUND --keep first` and `lab/rounds/page.py`.
"""
#: Rounds up to this one have a page of their own.
OLDER = 10
OLDER_HEAD = """# Truth: rounds 1 to 10

What the words mean, all first tries added up, and later rounds: [truth.md](truth.md).
"""
#: A page of the product: `diya explain accuracy`, and the foot of each report.
CARRIED = HERE.parents[1] / "docs/reference/accuracy.md"
ACCURACY = """# How often the diagnosis is right

> In recordings {own}, and among the first three for {three}.

> In Darshan logs the true cause stood among the first three for {darshan} of {logs} programs that nobody tuned on.

> For logs of other kinds it is not measured; in recordings of diya {own}.

These are first tries: programs written by somebody who had not seen the checks, with the answers fixed before the
first report, and no mend in between. {alarms} of {healthy} healthy programs got a finding above INFO that is not true. The
authors of these programs are alike, and that flatters: of 31 faulty everyday programs by somebody who had never seen
diya (not in this repository), 18 had the true cause first, 21 among the first three; 2 of 14 healthy ones got a false alarm.

Written by `lab/rounds/page.py`; never edited by hand. Each round: [truth.md](../../lab/rounds/truth.md).
"""
#: By the end of the name of the source.
LANGUAGES = {".c": "C", ".cpp": "C++", ".f90": "Fortran", ".py": "Python"}


def in_darshan(score: dict) -> str:
    """How many of the causes that Darshan's counters show were found from a Darshan log."""
    faults = [row for row in score["rows"] if row.get("darshan_place") and row["cause"] not in NOT_IN_DARSHAN]
    found = sum(row.get("darshan_place") in ("first", "top 3") for row in faults)
    return f"{found} of {len(faults)} ({found / len(faults):.0%})".replace("%", " %") if faults else ""


def where_it_counts(score: dict, places: tuple[str, ...]) -> str:
    """The share among the faults whose mended variant saves so much here that a finding
    above INFO is asked for."""
    faults = [row for row in score["rows"]
              if row["kind"] == "fault" and row.get("saving_s", 0.0) >= LOUD_S]
    found = sum(row["place"] in places for row in faults)
    return f"{found} of {len(faults)} ({100 * found / len(faults):.0f} %)" if faults else ""


def remedies(score: dict, verdicts: dict, kept: str) -> str:
    """A reader judges the remedies after the score was kept."""
    is_repaired = kept == "repaired"
    if kept == "first try" and not verdicts.get("of_first_try", True):
        return "not judged"
    said = [verdicts.get(row["name"], {}) for row in score["rows"] if row["kind"] == "fault"]
    said = [(v.get("repaired") if is_repaired else None) or v.get("remedy") for v in said]
    said = [word for word in said if word]
    right = sum(word == "right" for word in said)
    return f"{right} of {len(said)} ({100 * right / len(said):.0f} %)" if said else "not judged"


def table(round_name: str, scores: dict[str, dict]) -> list[str]:
    """One table of a round."""
    programs = next(iter(scores.values()))["programs"]
    path = HERE / round_name / "judged.toml"
    verdicts = tomllib.loads(path.read_text()) if path.exists() else {}
    lines = ["", f"## Round {round_name}: {programs} programs", "",
             "| | " + " | ".join(scores) + " |", "|---|" + "---|" * len(scores)]
    for name in next(iter(scores.values()))["shares"]:
        cells = [score["shares"].get(name, "") for score in scores.values()]
        if "remedy" in name:
            cells = [remedies(score, verdicts, kept) for kept, score in scores.items()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
        if name in PLACES:
            cells = [where_it_counts(score, PLACES[name]) for score in scores.values()]
            lines.append("| ... of faults that cost 0.1 s or more | " + " | ".join(cells) + " |")
        if "Darshan" in name:
            cells = [in_darshan(score) for score in scores.values()]
            lines.append("| ... of causes whose calls Darshan records | " + " | ".join(cells) + " |")
    return lines


def kind_of_program(folder: Path) -> str:
    """Language, and MPI where it has ranks."""
    case = tomllib.loads((folder / "case.toml").read_text())
    endings = {path.suffix for path in folder.glob("before.*")} or {path.suffix for path in folder.iterdir()}
    language = next((name for ending, name in LANGUAGES.items() if ending in endings), "shell and others")
    return f"{language}, MPI" if case.get("ranks", 1) > 1 else language


def sums() -> list[str]:
    """All first tries added up, by kind of program."""
    kinds: dict[str, list[dict]] = {}
    for path in sorted(HERE.glob("*/first.json")):
        for row in json.loads(path.read_text())["rows"]:
            kinds.setdefault(kind_of_program(path.parent / row["name"]), []).append(row)
    kinds = dict(sorted(kinds.items()))
    kinds["**all**"] = [row for rows in kinds.values() for row in rows]
    lines = ["", "## All first tries", "",
             "| program | faulty | true cause first | in the top 3 | in the top 3 from a Darshan log of the same run "
             "| healthy with a false alarm |", "|---|---|---|---|---|---|"]
    for kind, rows in kinds.items():
        faults = [row for row in rows if row["kind"] == "fault"]
        healthy = [row for row in rows if row["kind"] == "healthy"]
        logs = [row for row in faults if row.get("darshan_place")]
        counts = [(sum(row["place"] == "first" for row in faults), len(faults)),
                  (sum(row["place"] in ("first", "top 3") for row in faults), len(faults)),
                  (sum(row["darshan_place"] in ("first", "top 3") for row in logs), len(logs))]
        shares = [f"{found} of {of} ({100 * found / of:.0f} %)" if of else "" for found, of in counts]
        alarms = f"{sum(bool(row.get('false')) for row in healthy)} of {len(healthy)}"
        lines.append(f"| {kind} | {len(faults)} | " + " | ".join(shares) + f" | {alarms} |")
    return lines


def accuracy() -> list[str]:
    """The page that diya itself carries: a sentence for each kind of log, and the sums."""
    scores = [json.loads(path.read_text()) for path in sorted(HERE.glob("*/first.json"))]
    faults = [row for score in scores for row in score["rows"] if row["kind"] == "fault"]
    healthy = [row for score in scores for row in score["rows"] if row["kind"] == "healthy"]
    logs = [row for row in faults if row.get("darshan_place")]
    first = sum(row["place"] == "first" for row in faults)
    three = sum(row["place"] in ("first", "top 3") for row in faults)
    darshan = sum(row["darshan_place"] in ("first", "top 3") for row in logs)
    alarms = sum(bool(row.get("false")) for row in healthy)
    own = f"the true cause stood first for {first} of {len(faults)} programs that nobody tuned on"
    return [ACCURACY.format(own=own, three=three, darshan=darshan, logs=len(logs), alarms=alarms,
                            healthy=len(healthy)).rstrip(), *sums()]


def main() -> None:
    CARRIED.write_text("\n".join(accuracy()) + "\n")
    older = [OLDER_HEAD.rstrip()]
    lines = [HEAD.rstrip(), *sums(), "", "Rounds 1 to 10: [truth-1-to-10.md](truth-1-to-10.md)."]
    for folder in sorted((path for path in HERE.iterdir() if path.name.isdigit()), key=lambda path: int(path.name)):
        files = {"first try": "first", "unseen": "unseen", "repaired": "repaired"}
        kept = [(name, folder / f"{file}.json") for name, file in files.items()]
        scores = {name: json.loads(path.read_text()) for name, path in kept if path.exists()}
        if scores:
            (older if int(folder.name) <= OLDER else lines).extend(table(folder.name, scores))
    (HERE / "truth.md").write_text("\n".join(lines) + "\n")
    (HERE / "truth-1-to-10.md").write_text("\n".join(older) + "\n")


if __name__ == "__main__":
    main()
