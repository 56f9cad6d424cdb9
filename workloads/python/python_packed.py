"""A script writes its results and reads them back.

before  packed with gzip, though they are noise that hardly becomes smaller
after   as they are
"""

import gzip

from answer import Answer, pattern

WORDS = 1 << 13


def main() -> None:
    answer = Answer("python_packed", ["before", "after"])
    blocks = answer.scaled(96)
    is_packed = answer.variant == "before"
    open_file = gzip.open if is_packed else open
    block = pattern(0, WORDS)  # longer than the window of gzip, so nothing of it comes again
    path = answer.path("results.gz" if is_packed else "results.dat")
    answer.begin_io()
    with open_file(path, "wb") as file:
        for _ in range(blocks):
            file.write(block)
    with open_file(path, "rb") as file:
        for _ in range(blocks):
            block = file.read(8 * WORDS)
    answer.end_io()
    answer.add_result(block, 0)
    if is_packed:
        with open(path, "rb") as file:
            answer.add_file("results.gz", file.seek(0, 2))
        answer.finish("compression", "noise is compressed; write it as it is")
    else:
        answer.add_file("results.dat", 8 * WORDS * blocks)
        answer.finish("none", "no compression")


main()
