"""A script removes its temporary files.

before  a shell and a program are started for each file
after   the script removes each file itself
"""

import os

from answer import Answer, pattern, raw_write_file

WORDS = 16


def main() -> None:
    answer = Answer("python_program_per_item", ["before", "after"])
    files = answer.scaled(100)
    for number in range(files):
        raw_write_file(answer.path(f"part.{number}"), pattern(number * WORDS, WORDS))
    answer.begin_io()
    for number in range(files):
        path = answer.path(f"part.{number}")
        fd = os.open(path, os.O_RDONLY)
        answer.add_result(os.read(fd, 8 * WORDS), number * WORDS)
        os.close(fd)
        answer.count("posix", opens=1, reads=1, bytes_read=8 * WORDS, closes=1)
        if answer.variant == "before":
            os.system(f"rm -f '{path}'")
        else:
            os.unlink(path)
    answer.count("posix", writes=0, bytes_written=0)
    answer.end_io()
    if answer.variant == "before":
        answer.finish("program-per-item", "a program is started for each file; os.unlink removes it")
    else:
        answer.finish("none", "each file is removed by one call")


main()
