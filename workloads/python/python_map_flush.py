"""A script keeps records in a mapped file.

before  the map is forced to disk after each record
after   the map is forced to disk once
"""

import mmap
import os

from answer import Answer, pattern

WORDS = 32
BYTES = 8 * WORDS


def main() -> None:
    answer = Answer("python_map_flush", ["before", "after"])
    records = answer.scaled(200)
    size = records * BYTES
    answer.begin_io()
    fd = os.open(answer.path("records.dat"), os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
    os.ftruncate(fd, size)
    with mmap.mmap(fd, size) as records_map:
        for number in range(records):
            content = pattern(number * WORDS, WORDS)
            records_map[number * BYTES : (number + 1) * BYTES] = content
            answer.add_result(content, number * WORDS)
            if answer.variant == "before":
                records_map.flush()
        records_map.flush()
    os.close(fd)
    answer.count("posix", opens=1, reads=0, writes=0, bytes_read=0, bytes_written=0)
    answer.end_io()
    answer.add_file("records.dat", size, holds_result=True)
    if answer.variant == "before":
        answer.finish("map-sync-per-change", "each record waits for the disk; sync the map once")
    else:
        answer.finish("none", "one sync at the end")


main()
