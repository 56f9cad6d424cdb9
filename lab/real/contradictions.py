"""Sentences and numbers of one report that cannot all be true."""

import re

# Shares and savings are rounded for people.
SLACK = 1.02
RANK_WORDS = re.compile(r"\b(rank|ranks|aggregators?|collectives?)\b", re.IGNORECASE)
LOUD = ("high", "warn", "unexplained")
UNITS_S = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0}
IO_TIME = re.compile(
    r"I/O (?:took|takes) (?:up to |at most |about |at least )?([\d.,]+) "
    r"(us|µs|ms|s|min)\b"
)
RAW_NUMBER = re.compile(r"(?<![\d.,/:\w-])\d{5,}(?:\.\d+)?(?![\d:/\w.-])|\d\.\d{4,}")
PHASES = re.compile(r"I/O phases? takes? ([\d.,]+) (us|µs|ms|s|min)\b")
WRONG_WORD = re.compile(r"\b(wins?|won|can go|tells?|for sure|nobody)\b")
NUMBER_OF_ONE = re.compile(
    r"(?<![\d.,])\b1 (?:ranks|files|calls|processes|requests|opens|times|"
    r"bytes|seconds)\b"
)


def saving_s(finding: dict) -> float | None:
    """The number of a finding: the one that the report prints, else its upper end."""
    number = finding.get("saved_s")
    return finding.get("lost_high_s") if number is None else number


def sentence(text: str) -> str:
    """Without the folders of paths, which differ from machine to machine."""
    return re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "", text)


def of(program: dict, report: dict, text: str) -> list[str]:
    """All that were found."""
    found = savings(report) + verdicts(report) + io_times(report, text)
    if program.get("ranks", 1) == 1:
        found += ranks(report)
    return [sentence(text) for text in found]


def savings(report: dict) -> list[str]:
    """No saving is above the time of I/O, and neither is their sum."""
    io_s = report["verdict"]["io_high_s"] or report["verdict"]["io_s"]
    if io_s is None:
        return []
    own = [f for f in report["findings"] if not f.get("explained_by")]
    found = [
        f"{f['id']} saves {saving_s(f):.3g} s of {io_s:.3g} s of I/O"
        for f in own
        if (saving_s(f) or 0.0) > io_s * SLACK
    ]
    together = report.get("all_fixed") or {}
    total = together.get("saved_s", together.get("lost_high_s")) or 0.0
    if total > io_s * SLACK:
        found.append(f"all findings together save {total:.3g} s of {io_s:.3g} s of I/O")
    # Only a report that promises findings without overlap (saved_s) can be held to the sum.
    if any("saved_s" in f for f in own):
        total = sum(f.get("saved_s") or 0.0 for f in own)
        if total > io_s * SLACK:
            found.append(f"savings add up to {total:.3g} s of {io_s:.3g} s of I/O")
    return found


def verdicts(report: dict) -> list[str]:
    """Findings beside a verdict that there is nothing to find."""
    names = {f["id"] for f in report["findings"]}
    loud = [f["id"] for f in report["findings"] if f["severity"] in LOUD]
    said = report["verdict"]["text"]
    found = []
    kind = report["verdict"].get("kind")
    negligible = "job/io-is-negligible" in names or kind == "not_the_problem"
    if negligible and loud:
        found.append(f'"I/O is not the problem" beside {", ".join(loud)}')
    if negligible and "job/invisible-io" in names:
        found.append('"I/O is not the problem" beside "I/O that the log cannot show"')
    nothing = "nothing worth fixing" in said
    if nothing and loud:
        found.append(f'"nothing worth fixing" beside {", ".join(loud)}')
    if nothing and (report["verdict"]["io_share"] or 0.0) >= 0.5:
        found.append('"nothing worth fixing" where I/O is at least half of the run')
    if nothing and report["unknown"]:
        found.append(f'"nothing worth fixing" beside {len(report["unknown"])} unknown checks')
    return found


def io_times(report: dict, text: str) -> list[str]:
    """The text, the numbers and the account of the run name one time of I/O."""
    io_s, found = report["verdict"]["io_s"], []
    if io_s is None:
        return found
    times = {words: float(words[0].replace(",", "")) * UNITS_S[words[1]] for words in IO_TIME.findall(text)}
    # Three digits are printed, two below ten: 5 % apart is another number.
    found += [
        f"the text says {' '.join(words)} of I/O, the verdict {io_s:.3g} s"
        for words, value in times.items()
        if abs(value - io_s) > 0.05 * max(value, io_s)
    ]
    for finding in report["findings"]:
        for words in PHASES.findall(finding["text"]):
            value = float(words[0].replace(",", "")) * UNITS_S[words[1]]
            if value > 1.05 * max(io_s, 0.01):
                found.append(f"{finding['id']} says {' '.join(words)} of I/O phases, the verdict {io_s:.3g} s of I/O")
    account = report.get("time_account")
    if account:
        total = sum(row["time_s"] for row in account if row["class"] not in ("computing", "unknown"))
        if abs(total - io_s) > 0.05 * max(total, io_s, 0.01):
            found.append(f"the account adds up to {total:.3g} s of I/O, the verdict {io_s:.3g} s")
    return found


def ranks(report: dict) -> list[str]:
    """A program without MPI has no ranks."""
    found = []
    for finding in report["findings"]:
        rows = [row["text"] for row in finding["evidence"][:3]]
        words = [finding["title"], finding["text"], *rows]
        hit = next((text for text in words if RANK_WORDS.search(text)), None)
        if hit:
            found.append(f"ranks in a program without MPI: {finding['id']}: {hit}")
    if RANK_WORDS.search(report["verdict"]["text"]):
        found.append(f"ranks in a program without MPI: {report['verdict']['text']}")
    return found


def wording(report: dict) -> list[str]:
    """Wrong words: raw numbers, plurals of one, and words that promise too much."""
    found = []
    texts = [("verdict", report["verdict"]["text"])]
    texts += [(finding["id"], finding["text"]) for finding in report["findings"]]
    for name, text in texts:
        bare = re.sub(r"\S*/\S*", "", text)  # names of files may hold any digits
        for pattern, what in ((RAW_NUMBER, "raw number"), (NUMBER_OF_ONE, "plural of one"), (WRONG_WORD, "wrong word")):
            hit = pattern.search(bare)
            if hit:
                found.append(sentence(f'{what} "{hit.group()}" in {name}: {text}'))
    return found
