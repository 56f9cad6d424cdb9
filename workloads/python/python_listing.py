"""A script looks for the file that is nearest in time to each event.

before  the folder is listed for every event
after   the folder is listed once
"""

import os

from answer import Answer, pattern, raw_mkdir, raw_write_file

FILES = 1000
WORDS = 16


def main() -> None:
    answer = Answer("python_listing", ["before", "after"])
    events = answer.scaled(1000)
    folder = answer.path("frames")
    raw_mkdir(folder)
    for number in range(FILES):
        raw_write_file(f"{folder}/frame.{number:04d}", pattern(number * WORDS, WORDS))
        answer.add_file(f"frames/frame.{number:04d}", 8 * WORDS)
    answer.begin_io()
    listings = events if answer.variant == "before" else 1
    for _ in range(listings):
        names = sorted(os.listdir(folder))
    answer.count("posix", opens=listings, closes=listings)
    for event in range(events):
        number = event * 7 % FILES
        fd = os.open(f"{folder}/{names[number]}", os.O_RDONLY)
        answer.add_result(os.read(fd, 8 * WORDS), event * WORDS)
        os.close(fd)
        answer.count("posix", opens=1, reads=1, bytes_read=8 * WORDS, closes=1)
    answer.count("posix", writes=0, bytes_written=0)
    answer.end_io()
    if answer.variant == "before":
        answer.finish("metadata-load", "the folder is listed for every event; list it once")
    else:
        answer.finish("none", "the folder is listed once")


main()
