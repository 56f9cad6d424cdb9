"""Writes docs/fleet-cost.md from the numbers of the benchmarks of fleets.

    room=/folder/with/room; python=PYTHON-WITH-darshan-AND-duckdb
    $python benches/fleet.py --diya target/release/diya --json $room/ingest.json
    $python benches/fleet_questions.py --diya target/release/diya --jobs 200000 --json $room/questions.json
    $python tests/fleet/bad_tree.py --diya target/release/diya --files 200000 --json $room/bad.json
    $python tests/fleet/kills.py --diya target/release/diya --logs LOGS --count 50 --json $room/kills.json
    $python benches/fleet_cost.py $room >docs/fleet-cost.md

Every figure is a ratio to a yardstick of the same run, or stands beside one: seconds depend on
the machine. The text about what was tried is that of benches/fleet_cost.md, as it is.
"""

import json
import pathlib
import sys

#: What is to be reached.
GOALS = {
    "counters": 1.5,
    "pydarshan": 10.0,
    "checks_ms": 1.0,
    "job_bytes": 250,
    "record_bytes": 60,
    "question": 1.5,
    "all_questions": 1.0,
    "memory_mib": 1024,
}

#: Logs of a large centre in a year.
MANY = 5_000_000


def ms(value: float) -> str:
    return f"{value:.2f} ms"


def met(is_met: bool) -> str:
    return "reached" if is_met else "**missed**"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown; the first column is text."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def checks_ms(of: dict) -> float:
    return of["with findings"]["ms_per_log"] - of["without findings"]["ms_per_log"]


def summary(ingest: list[dict], questions: dict) -> str:
    largest = ingest[-1]
    light = largest["pydarshan light pass"]["ms_per_log"]
    ratios = [of["diya"][0] / of["duckdb"][0] for of in questions["questions"]]
    both = [sum(of[who][0] for of in questions["questions"]) for who in ("diya", "duckdb")]
    counters = largest["ingest over counters"]
    per_light = light / largest["without findings"]["ms_per_log"]
    with_light = light / largest["with findings"]["ms_per_log"]
    memory = max(of["with findings"]["peak_mib"] for of in ingest)
    slowest = max(zip(ratios, questions["questions"], strict=True), key=lambda pair: pair[0])
    rows = [
        ["ingest without findings, over reading the counters alone", f"{counters:.2f} times", f"{GOALS['counters']} times", met(counters <= GOALS["counters"])],
        ["PyDarshan's light pass, over ingest without findings", f"{per_light:.1f} times", f"{GOALS['pydarshan']:.0f} times", met(per_light >= GOALS["pydarshan"])],
        ["PyDarshan's light pass, over ingest with findings", f"{with_light:.1f} times", "none", ""],
        ["all checks, processor time of a log", ms(checks_ms(largest)), ms(GOALS["checks_ms"]), met(checks_ms(largest) <= GOALS["checks_ms"])],
        ["memory of an ingest with findings, largest", f"{memory:.0f} MiB", f"{GOALS['memory_mib']} MiB", met(memory < GOALS["memory_mib"])],
        ["bytes of a job, without records, findings and metrics", f"{largest['bytes']['per job']:.0f} B", f"{GOALS['job_bytes']} B", met(largest["bytes"]["per job"] <= GOALS["job_bytes"])],
        ["bytes of a record", f"{largest['bytes']['per record']:.0f} B", f"{GOALS['record_bytes']} B", met(largest["bytes"]["per record"] <= GOALS["record_bytes"])],
        [f"slowest question beside DuckDB ({slowest[1]['name']})", f"{slowest[0]:.2f} times", f"{GOALS['question']} times", met(slowest[0] <= GOALS["question"])],
        ["all questions beside DuckDB", f"{both[0] / both[1]:.2f} times", "1 time", met(both[0] <= both[1])],
    ]
    return table(["what", "measured", "goal", ""], rows)


def ingest_table(ingest: list[dict]) -> str:
    rows = []
    for of in ingest:
        light = of["pydarshan light pass"]
        rows.append([
            f"{of['logs']:,}", ms(of["counters alone"]["ms_per_log"]), ms(of["without findings"]["ms_per_log"]),
            ms(of["with findings"]["ms_per_log"]), ms(of["nothing new"]["ms_per_log"]), ms(of["compact"]["ms_per_log"]),
            ms(light["ms_per_log"]) if light else "–", f"{of['without findings']['peak_mib']:.0f} and {of['with findings']['peak_mib']:.0f} MiB",
        ])
    head = ["logs", "counters alone", "ingest without findings", "with findings", "nothing new", "compact", "PyDarshan's light pass", "memory without and with findings"]
    return table(head, rows)


def bytes_table(ingest: list[dict]) -> str:
    head = ["logs", "job, and the tables beside it", "record, each", "findings of a job", "metrics of a job", "manifest of a log"]
    keys = ["per job", "per record", "findings per job", "metrics per job", "manifest per job"]
    return table(head, [[f"{of['logs']:,}", *(f"{of['bytes'][key]:.0f} B" for key in keys)] for of in ingest])


def slope(ingest: list[dict]) -> str:
    """Time over number between the two largest fleets, and what follows for many logs."""
    lines = []
    small, large = ingest[-2], ingest[-1]
    for name in ("without findings", "with findings"):
        of = [part["logs"] * part[name]["ms_per_log"] / 1e3 for part in (small, large)]
        each_s = (of[1] - of[0]) / (large["logs"] - small["logs"])
        light = large["pydarshan light pass"]["ms_per_log"] / 1e3
        hours = (of[1] + each_s * (MANY - large["logs"])) / 3600
        lines.append(f"| {name} | {1e3 * each_s:.2f} ms | {hours:.1f} h | {MANY * light / 3600:.1f} h |")
    head = f"| ingest | each further log | {MANY:,} logs | PyDarshan's light pass on them |\n|---|---:|---:|---:|"
    return head + "\n" + "\n".join(lines)


def question_table(questions: dict) -> str:
    rows = []
    for of in questions["questions"]:
        ours, theirs = of["diya"], of["duckdb"]
        rows.append([of["name"], f"{ours[0]:.2f} s", f"{theirs[0]:.2f} s", f"{ours[0] / theirs[0]:.2f}", f"{ours[1] / theirs[1]:.2f}", f"{ours[2]:.0f} MiB", f"{theirs[2]:.0f} MiB", "yes" if of["is_equal"] else "**no**"])
    both = [sum(of[who][0] for of in questions["questions"]) for who in ("diya", "duckdb")]
    rows.append(["all", f"{both[0]:.2f} s", f"{both[1]:.2f} s", f"{both[0] / both[1]:.2f}", "", "", "", ""])
    return table(["question", "diya", "DuckDB", "ratio", "ratio of processor time", "diya, memory", "DuckDB, memory", "rows equal"], rows)


def bad_table(bad: list[dict]) -> str:
    rows = []
    for of in bad:
        states = ", ".join(f"{count:,} {state}" for state, count in sorted(of["states"].items()))
        rows.append([f"{of['files']:,}", states, ms(1e3 * of["cpu_s"] / of["files"]), ms(1e3 * of["again_cpu_s"] / of["files"]), f"{of['mib']:.0f} MiB"])
    return table(["files", "rows of manifest", "processor time of a file", "of the second run", "memory"], rows)


def main() -> None:
    room = pathlib.Path(sys.argv[1])
    ingest, questions, bad, kills = (json.loads((room / f"{name}.json").read_text()) for name in ("ingest", "questions", "bad", "kills"))
    text = (pathlib.Path(__file__).parent / "fleet_cost.md").read_text()
    parts = {
        "summary": summary(ingest, questions),
        "ingest": ingest_table(ingest),
        "slope": slope(ingest),
        "bytes": bytes_table(ingest),
        "questions": question_table(questions),
        "bad": bad_table(bad),
        "jobs": f"{questions['jobs']:,}",
        "records": f"{questions['jobs'] * questions['files']:,}",
        "duckdb": questions["duckdb"],
        "cpu_ratio": f"{sum(of['diya'][1] for of in questions['questions']) / sum(of['duckdb'][1] for of in questions['questions']):.2f}",
        "kills": f"{kills['kills']} kills, of which {kills['left_a_commit']} left a commit half done",
    }
    for name, part in parts.items():
        text = text.replace("{{" + name + "}}", part)
    print(text, end="")


if __name__ == "__main__":
    main()
