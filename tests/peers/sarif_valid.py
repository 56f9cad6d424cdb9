"""Holds what ``diya report --format sarif`` writes against the schema of SARIF 2.1.0.

    sarif_valid.py --diya DIYA --schema FILE LOG...

Each report is validated alone, and all of them together as one SARIF log with a
run for each. What the schema refuses is printed; the exit code says whether it
refused anything.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import jsonschema


def written(diya: Path, logs: list[Path]) -> dict:
    """The SARIF log of the reports of these logs, one run each."""
    command = [diya, "report", "--separate", "--metrics", "none", "--quiet", "--format", "sarif", *logs]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout)


def faults(validator: jsonschema.Draft4Validator, sarif: dict) -> list[str]:
    """What the schema refuses, each with its place in the document."""
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(sarif)]


def main() -> int:
    """The exit code: 0 when everything is valid."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("logs", type=Path, nargs="+")
    arguments = parser.parse_args()
    schema = json.loads(arguments.schema.read_text())
    jsonschema.Draft4Validator.check_schema(schema)
    validator = jsonschema.Draft4Validator(schema)
    # The schema has to be able to refuse: a level that SARIF does not know.
    wrong = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"level": "high"}]}]}
    assert faults(validator, wrong), "the schema refuses nothing"
    found, results = [], 0
    for logs in [*([log] for log in arguments.logs), arguments.logs]:
        sarif = written(arguments.diya, logs)
        assert len(sarif["runs"]) == len(logs), f"{len(sarif['runs'])} runs for {len(logs)} logs"
        results += sum(len(run["results"]) for run in sarif["runs"])
        found += [f"{logs[0].name}: {fault}" for fault in faults(validator, sarif)]
    print("\n".join(found[:40]))
    print(f"SARIF: {len(arguments.logs)} logs, {results} results, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
