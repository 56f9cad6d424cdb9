"""Lists the sentences of checks and reports that ask the reader to find something out.

    python3 lab/house/asks.py

A sentence that the log could answer is a fault. Each kind of the rest has its reason here; one without a
reason ends the script with 1.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

ASKS = re.compile(
    r"(?<!not )shows? whether|(?:see|look|check|find out|measure) (?:first )?(?:whether|if|which|who)\b", re.IGNORECASE)

#: Words of a sentence, and why it stays.
REASONS = {
    "shows whether they make calls": "who waits for whom is in messages, which are not recorded",
    "shows whether it helpe": "a code for readers of questions, no sentence of a report",
    "shows whether the file has changed": "a function of C++, named as the fix",
}


def asking() -> list[tuple[str, str]]:
    """Places and sentences of checks, and of the program that words reports."""
    paths = [*ROOT.glob("checks/**/*.md"), *ROOT.glob("checks/*.toml"),
             *ROOT.glob("crates/diya/src/diagnose/**/*.rs"), *ROOT.glob("crates/diya-report/src/**/*.rs")]
    found = []
    for path in sorted(paths):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            text = line.strip()
            if ASKS.search(text) and not text.startswith(("//", "--", "#")):
                found.append((f"{path.relative_to(ROOT)}:{number}", text))
    return found


def main() -> None:
    """Prints them by reason."""
    without = 0
    for place, text in asking():
        reason = next((why for words, why in REASONS.items() if words in text), None)
        without += reason is None
        print(f"{place}: {text[:110]}\n    {reason or 'NO REASON'}")
    print(f"{len(asking())} sentences ask the reader, {without} of them without a reason")
    sys.exit(1 if without else 0)


if __name__ == "__main__":
    main()
