"""A script takes a few lines out of each of many large images.

before  each image is read as a whole
after   only the lines are read
"""

import os

from answer import Answer, pattern

IMAGES = 16
IMAGE_BYTES = 32 << 20
WORDS = 64
LINE = 17 << 20  # where the lines begin


def main() -> None:
    answer = Answer("python_whole_files", ["before", "after"])
    images = answer.scaled(IMAGES)
    lines = pattern(0, WORDS)
    paths = [answer.path(f"image.{number}") for number in range(images)]
    is_whole = answer.variant == "before"
    moved = IMAGE_BYTES if is_whole else len(lines)
    answer.begin_io()
    for path in paths:  # all else is a hole
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.ftruncate(fd, IMAGE_BYTES)
        os.pwrite(fd, lines, LINE)
        os.close(fd)
    for path in paths:
        fd = os.open(path, os.O_RDONLY)
        if is_whole:
            part = os.read(fd, IMAGE_BYTES)[LINE : LINE + len(lines)]
        else:
            part = os.pread(fd, len(lines), LINE)
        os.close(fd)
    answer.add_result(part, 0)
    answer.count(
        "posix",
        opens=2 * images,
        reads=images,
        writes=images,
        bytes_read=images * moved,
        bytes_written=images * len(lines),
    )
    answer.end_io()
    for number in range(images):
        answer.add_file(f"image.{number}", IMAGE_BYTES)
    if is_whole:
        answer.finish("read-too-much", "whole images are read for some lines of them")
    else:
        answer.finish("none", "only the lines are read")


main()
