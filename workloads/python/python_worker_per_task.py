"""A script has a small task for each of several items.

before  each task runs in a new interpreter, which loads the same modules again
after   the modules are loaded once, and the tasks are calls
"""

import importlib
import subprocess
import sys

from answer import MASK, Answer, mix

MODULES = ["argparse", "csv", "decimal", "email.message", "http.client", "json", "unittest", "xml.dom.minidom"]
WORDS_OF_A_TASK = 64

# The task of a new interpreter: it loads what it needs, then answers.
TASK = "import importlib, sys\nfor name in sys.argv[2:]: importlib.import_module(name)\nprint(int(sys.argv[1]) + 1)"


def task(item: int) -> int:
    return item + 1


def main() -> None:
    answer = Answer("python_worker_per_task", ["before", "after"])
    items = answer.scaled(5)
    answer.begin_io()
    if answer.variant == "before":
        command = [sys.executable, "-E", "-s", "-c", TASK]
        done = [
            int(subprocess.run([*command, str(item), *MODULES], check=True, capture_output=True).stdout)
            for item in range(items)
        ]
    else:
        for name in MODULES:
            importlib.import_module(name)
        done = [task(item) for item in range(items)]
    answer.end_io()
    for number in done:
        answer.add_result_of(mix(number) & MASK, 8 * WORDS_OF_A_TASK)
    answer.add_fact("processes", items if answer.variant == "before" else 1)
    if answer.variant == "before":
        answer.finish("reloaded-modules", "each task loads all modules again; keep one process")
    else:
        answer.finish("none", "the modules are loaded once")


main()
