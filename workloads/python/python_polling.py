"""Two processes hand a record from one to the other, step by step.

before  through a file: the reader asks for it again and again, and sleeps in between
after   through a pipe: the reader wakes when the record is there
"""

import os
import time

from answer import Answer, pattern

WORDS = 64
WORK_S = 0.012
NAP_S = 0.005


def publish(path: str, content: bytes) -> None:
    """Write a file that is there as a whole or not at all."""
    with open(f"{path}.part", "wb") as file:
        file.write(content)
    os.rename(f"{path}.part", path)


def wait_for(path: str) -> bytes:
    while not os.path.exists(path):
        time.sleep(NAP_S)
    with open(path, "rb") as file:
        return file.read()


def main() -> None:
    answer = Answer("python_polling", ["before", "after"])
    steps = answer.scaled(80)
    is_polling = answer.variant == "before"
    ready, filled = os.pipe()
    answer.begin_io()
    if os.fork() == 0:
        for step in range(steps):
            time.sleep(WORK_S)
            content = pattern(step * WORDS, WORDS)
            if is_polling:
                publish(answer.path(f"step{step}.dat"), content)
            else:
                os.write(filled, content)
        os._exit(0)
    for step in range(steps):
        content = wait_for(answer.path(f"step{step}.dat")) if is_polling else os.read(ready, 8 * WORDS)
        answer.add_result(content, step * WORDS)
    os.wait()
    answer.end_io()
    for step in range(steps if is_polling else 0):
        answer.add_file(f"step{step}.dat", 8 * WORDS, holds_result=True)
    if is_polling:
        answer.finish("polling", "a process sleeps between its questions for a file; use a pipe")
    else:
        answer.finish("none", "the reader wakes when the data are there")


main()
