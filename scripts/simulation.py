"""A program of which the guide and docs/guide/beside-other-pages.md show the call stacks."""

import sys


def write_state(path, lines):
    with open(path, "w", buffering=1) as file:
        for line in range(lines):
            file.write(f"cell {line}\n")


def checkpoint(step):
    write_state(f"{sys.argv[1]}/state-{step}.txt", 2000)


for step in range(5):
    checkpoint(step)
