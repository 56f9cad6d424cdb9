"""Writes lab/costs/fleet-cost.md from the numbers of the benchmarks of fleets.

    room=/folder/with/room; python=PYTHON-WITH-darshan-AND-duckdb
    $python benches/fleet.py --diya target/release/diya --room $room --json $room/ingest.json
    $python benches/fleet_questions.py --diya target/release/diya --jobs 200000 --json $room/questions.json
    $python tests/fleet/bad_tree.py --diya target/release/diya --files 200000 --json $room/bad.json
    $python tests/fleet/kills.py --diya target/release/diya --logs LOGS --count 50 --json $room/kills.json
    $python benches/fleet_cost.py $room >lab/costs/fleet-cost.md

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


def over(of: dict, pass_of: str, name: str) -> float:
    """PyDarshan's time over that of an ingest."""
    return of["pydarshan"][pass_of] / of[name]["ms_per_log"]


def cpu_s(questions: dict, who: str) -> float:
    return sum(of[who][1] for of in questions["questions"])


def summary(ingest: list[dict], sizes: dict, questions: dict) -> str:
    largest = ingest[-1]
    # Processor time: that of the clock is shared with what else the machine does.
    ratios = [of["diya"][1] / of["duckdb"][1] for of in questions["questions"]]
    both = [cpu_s(questions, who) for who in ("diya", "duckdb")]
    counters, layers = ([of[f"ingest over {alone}"] for of in (largest, sizes)] for alone in ("counters", "layers"))
    memory = max(of["with findings"]["peak_mib"] for of in [*ingest, sizes])
    slowest = max(zip(ratios, questions["questions"], strict=True), key=lambda pair: pair[0])

    def times(of: list[float]) -> str:
        return " and ".join(f"{value:.2f}" for value in of) + " times"

    def light(pass_of: str, name: str) -> list[float]:
        return [over(of, pass_of, name) for of in (largest, sizes)]

    rows = [
        [
            "ingest without findings, over reading the same tables alone",
            times(counters),
            f"{GOALS['counters']} times",
            met(max(counters) <= GOALS["counters"]),
        ],
        ["the same, over reading the records of layers alone", times(layers), "none", ""],
        [
            "PyDarshan's light pass, over ingest without findings",
            times(light("light_ms", "without findings")),
            f"{GOALS['pydarshan']:.0f} times",
            met(min(light("light_ms", "without findings")) >= GOALS["pydarshan"]),
        ],
        [
            "PyDarshan's `job_stats` of POSIX, over ingest without findings",
            times(light("job_stats_ms", "without findings")),
            "none",
            "",
        ],
        [
            "PyDarshan's `job_stats` of POSIX, over ingest with findings",
            times(light("job_stats_ms", "with findings")),
            "none",
            "",
        ],
        [
            "all checks, processor time of a log",
            ms(checks_ms(largest)),
            ms(GOALS["checks_ms"]),
            met(checks_ms(largest) <= GOALS["checks_ms"]),
        ],
        ["the same, logs of all sizes", ms(checks_ms(sizes)), "none", ""],
        [
            "memory of an ingest with findings, largest",
            f"{memory:.0f} MiB",
            f"{GOALS['memory_mib']} MiB",
            met(memory < GOALS["memory_mib"]),
        ],
        [
            "bytes of a job, without records, findings and metrics",
            f"{largest['bytes']['per job']:.0f} B",
            f"{GOALS['job_bytes']} B",
            met(largest["bytes"]["per job"] <= GOALS["job_bytes"]),
        ],
        [
            "bytes of a record",
            f"{largest['bytes']['per record']:.0f} B",
            f"{GOALS['record_bytes']} B",
            met(largest["bytes"]["per record"] <= GOALS["record_bytes"]),
        ],
        [
            f"slowest question beside DuckDB ({slowest[1]['name']}), processor time",
            f"{slowest[0]:.2f} times",
            f"{GOALS['question']} times",
            met(slowest[0] <= GOALS["question"]),
        ],
        [
            "all questions beside DuckDB, processor time",
            f"{both[0] / both[1]:.2f} times",
            "1 time",
            met(both[0] <= both[1]),
        ],
    ]
    return table(["what", "measured", "goal", ""], rows)


def ingest_table(ingest: list[dict]) -> str:
    rows = []
    for of in ingest:
        light = of["pydarshan"]
        name = f"{of['logs']:,}" + (" of all sizes" if of["kind"] == "--sizes" else "")
        times = [
            of[part]["ms_per_log"]
            for part in (
                "layers alone",
                "counters alone",
                "without findings",
                "with findings",
                "nothing new",
                "compact",
            )
        ]
        beside = [ms(light[part]) for part in ("light_ms", "job_stats_ms")] if light else ["–", "–"]
        rows.append(
            [
                name,
                *map(ms, times),
                *beside,
                f"{of['without findings']['peak_mib']:.0f} and {of['with findings']['peak_mib']:.0f} MiB",
            ]
        )
    head = [
        "logs",
        "records of layers alone",
        "the same tables alone",
        "ingest without findings",
        "with findings",
        "nothing new",
        "compact",
        "PyDarshan's light pass",
        "its `job_stats`",
        "memory without and with findings",
    ]
    return table(head, rows)


def deciles(of: dict) -> str:
    return ", ".join(f"{size / 1e3:.1f}" for size in of["deciles"]) + " KB"


def bytes_table(ingest: list[dict]) -> str:
    head = [
        "logs",
        "job, and the tables beside it",
        "record, each",
        "findings of a job",
        "metrics of a job",
        "manifest of a log",
    ]
    keys = ["per job", "per record", "findings per job", "metrics per job", "manifest per job"]
    return table(head, [[f"{of['logs']:,}", *(f"{of['bytes'][key]:.0f} B" for key in keys)] for of in ingest])


def slope(ingest: list[dict]) -> str:
    """Time over number between the two largest fleets, and what follows for many logs."""
    lines = []
    small, large = ingest[-2], ingest[-1]
    for name in ("without findings", "with findings"):
        of = [part["logs"] * part[name]["ms_per_log"] / 1e3 for part in (small, large)]
        each_s = (of[1] - of[0]) / (large["logs"] - small["logs"])
        light = large["pydarshan"]["light_ms"] / 1e3
        hours = (of[1] + each_s * (MANY - large["logs"])) / 3600
        lines.append(f"| {name} | {1e3 * each_s:.2f} ms | {hours:.1f} h | {MANY * light / 3600:.1f} h |")
    head = f"| ingest | each further log | {MANY:,} logs | PyDarshan's light pass on them |\n|---|---:|---:|---:|"
    return head + "\n" + "\n".join(lines)


def question_table(questions: dict) -> str:
    rows = []
    for of in questions["questions"]:
        ours, theirs = of["diya"], of["duckdb"]
        rows.append(
            [
                of["name"],
                f"{ours[0]:.2f} s",
                f"{theirs[0]:.2f} s",
                f"{ours[0] / theirs[0]:.2f}",
                f"{ours[1] / theirs[1]:.2f}",
                f"{ours[2]:.0f} MiB",
                f"{theirs[2]:.0f} MiB",
                "yes" if of["is_equal"] else "**no**",
            ]
        )
    both = [sum(of[who][0] for of in questions["questions"]) for who in ("diya", "duckdb")]
    rows.append(["all", f"{both[0]:.2f} s", f"{both[1]:.2f} s", f"{both[0] / both[1]:.2f}", "", "", "", ""])
    return table(
        [
            "question",
            "diya",
            "DuckDB",
            "ratio",
            "ratio of processor time",
            "diya, memory",
            "DuckDB, memory",
            "rows equal",
        ],
        rows,
    )


def bad_table(bad: list[dict]) -> str:
    rows = []
    for of in bad:
        states = ", ".join(f"{count:,} {state}" for state, count in sorted(of["states"].items()))
        rows.append(
            [
                f"{of['files']:,}",
                states,
                ms(1e3 * of["cpu_s"] / of["files"]),
                ms(1e3 * of["again_cpu_s"] / of["files"]),
                f"{of['mib']:.0f} MiB",
            ]
        )
    return table(["files", "rows of manifest", "processor time of a file", "of the second run", "memory"], rows)


def main() -> None:
    room = pathlib.Path(sys.argv[1])
    ingest, questions, bad, kills = (
        json.loads((room / f"{name}.json").read_text()) for name in ("ingest", "questions", "bad", "kills")
    )
    sizes = next(of for of in ingest if of["kind"] == "--sizes")
    ingest = [of for of in ingest if of is not sizes]
    text = (pathlib.Path(__file__).parent / "fleet_cost.md").read_text()
    parts = {
        "summary": summary(ingest, sizes, questions),
        "ingest": ingest_table([*ingest, sizes]),
        "largest": f"{ingest[-1]['logs']:,}",
        "deciles": deciles(ingest[-1]),
        "deciles_of_all_sizes": deciles(sizes),
        "slope": slope(ingest),
        "bytes": bytes_table([*ingest, sizes]),
        "questions": question_table(questions),
        "bad": bad_table(bad),
        "jobs": f"{questions['jobs']:,}",
        "records": f"{questions['jobs'] * questions['files']:,}",
        "duckdb": questions["duckdb"],
        "cpu_ratio": f"{cpu_s(questions, 'diya') / cpu_s(questions, 'duckdb'):.2f}",
        "kills": f"{kills['kills']} kills; {kills['left_a_commit']} times a commit was left half done",
    }
    for name, part in parts.items():
        text = text.replace("{{" + name + "}}", part)
    print(text, end="")


if __name__ == "__main__":
    main()
