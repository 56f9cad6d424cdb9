"""Writes lab/real/real-programs.md from lab/real/first.json and now.json."""

import json
from pathlib import Path

HERE = Path(__file__).parent
HEAD = """# Real programs: what diya says, and what an expert says

Programs that Debian 12 and PyPI ship, each with a small job. The verdict of an expert
was fixed before the first report, with its reason, in
[lab/real/programs.toml](programs.toml) and
[programs-python.toml](programs-python.toml). **First try** is the result
before anything was mended for these programs; **now** is the last run.
A report agrees when a right cause is among its first three findings above INFO, nothing
above INFO is false, and a program with negligible I/O or at the speed of the device has no
such finding. INFO is enough where the cost is small, and where it is below 0.1 s, as no
finding below 0.1 s is above INFO.
Made by `lab/real/real-programs.sh --keep`.
"""


def share(rows: list[dict], of) -> str:
    hits = sum(1 for row in rows if of(row))
    return f"{hits} of {len(rows)}" + (f" ({100 * hits / len(rows):.0f} %)" if rows else "")


def summary(rows: list[dict]) -> dict:
    by_verdict = {
        name: [r for r in rows if r["verdict"] == name] for name in ("causes", "negligible", "device speed", "unknown")
    }
    shares = {"agrees with the expert": share(rows, lambda r: r["agrees"])}
    shares |= {
        f'... where the verdict is "{name}"': share(part, lambda r: r["agrees"])
        for name, part in by_verdict.items()
        if part
    }
    shares["right cause first"] = share(by_verdict["causes"], lambda r: r["place"] == "first")
    shares["with a false WARN or HIGH"] = share(rows, lambda r: r["false"])
    shares["with a contradiction in the report"] = share(rows, lambda r: r["contradictions"])
    shares["with wrong words in the verdict or a finding"] = share(rows, lambda r: r["words"])
    return shares


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def expert(row: dict) -> str:
    return row["verdict"] if row["verdict"] != "causes" else ", ".join(row["causes"])


def said(row: dict) -> str:
    return cell("; ".join([row["said"], *row["top"]]))


def mark(row: dict | None) -> str:
    """Whether it agrees; where not, in what."""
    if row is None:
        return "-"
    if row["agrees"]:
        return "yes"
    return "no: " + ("false " + ", ".join(row["false"]) if row["false"] else row["place"])


def write() -> None:
    """The page, from what is kept."""
    kept = {}
    for title, name in (("first try", "first.json"), ("now", "now.json")):
        if (HERE / name).exists():
            kept[title] = json.loads((HERE / name).read_text())
    lines = [HEAD, "| | " + " | ".join(kept) + " |", "|---|" + "---|" * len(kept)]
    sums = [summary(rows) for rows in kept.values()]
    lines += [f"| {name} | " + " | ".join(s.get(name, "") for s in sums) + " |" for name in sums[0]]
    last = {row["name"]: row for row in kept[list(kept)[-1]]}
    first = {row["name"]: row for row in kept.get("first try", [])}
    lines += [
        "",
        "## Programs",
        "",
        "| program | expert | what diya says | agrees | first try | contradictions |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {name} | {expert(row)} | {said(row)} | {mark(row)} | {mark(first.get(name))} "
        f"| {len(row['contradictions']) or ''} |"
        for name, row in last.items()
    ]
    title, rows = list(kept.items())[-1]
    for what, field in (("Contradictions", "contradictions"), ("Wrong words", "words")):
        wrong = [(row["name"], text) for row in rows for text in row[field]]
        lines += ["", f"## {what}, {title}", ""]
        lines += [f"- {name}: {cell(text)}" for name, text in wrong] or ["None."]
    (HERE / "real-programs.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write()
