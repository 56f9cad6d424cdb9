"""A script keeps a journal.

before  the file is opened with O_DSYNC: every record waits for the disk
after   records are synced once at the end
"""

import os

from answer import Answer, pattern

WORDS = 64


def main() -> None:
    answer = Answer("python_synchronous_log", ["before", "after"])
    records = answer.scaled(200)
    is_synchronous = answer.variant == "before"
    answer.begin_io()
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | (os.O_DSYNC if is_synchronous else 0)
    fd = os.open(answer.path("journal.dat"), flags, 0o644)
    answer.count("posix", opens=1)
    for number in range(records):
        os.write(fd, pattern(number * WORDS, WORDS))
        answer.count("posix", writes=1, bytes_written=8 * WORDS)
    if not is_synchronous:
        os.fsync(fd)
    os.close(fd)
    answer.count("posix", closes=1, reads=0, bytes_read=0)
    answer.end_io()
    for number in range(records):
        answer.add_result(pattern(number * WORDS, WORDS), number * WORDS)
    answer.add_file("journal.dat", 8 * WORDS * records, holds_result=True)
    if is_synchronous:
        answer.finish("synchronous-writes", "each record waits for the disk; sync once per step")
    else:
        answer.finish("none", "one sync at the end")


main()
