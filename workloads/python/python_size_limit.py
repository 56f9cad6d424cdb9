"""A script writes more than its limit for one file allows, as on a full file system.

before  to one file: a write ends early, those after it fail
after   to a second file when the first one is full
"""

import os
import resource

from answer import Answer, pattern

WORDS = 1 << 12
BLOCKS_OF_A_FILE = 10


def write_all(answer: Answer, fd: int, content: bytes) -> int:
    """Bytes that fit."""
    done = 0
    while done < len(content):
        try:
            written = os.write(fd, content[done:])
        except OSError:
            break
        answer.count("posix", writes=1, bytes_written=written)
        done += written
    return done


def main() -> None:
    answer = Answer("python_size_limit", ["before", "after"])
    blocks = answer.scaled(2 * BLOCKS_OF_A_FILE)
    files = 1 if answer.variant == "before" else 2
    limit = blocks * 8 * WORDS // 2 + 1000
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    answer.begin_io()
    sizes = [0] * files
    contents = [pattern(number * WORDS, WORDS) for number in range(blocks)]
    fds = [os.open(answer.path(f"part{k}.dat"), os.O_WRONLY | os.O_CREAT, 0o644) for k in range(files)]
    # For these writes only: what records them writes files of its own.
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    for number, content in enumerate(contents):
        file = number * files // blocks
        sizes[file] += write_all(answer, fds[file], content)
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    for fd in fds:
        os.close(fd)
    answer.count("posix", opens=files, closes=files)
    answer.end_io()
    # What both variants keep: the blocks of the first file.
    for number in range(blocks // 2):
        answer.add_result(contents[number], number * WORDS)
    for k, size in enumerate(sizes):
        answer.add_file(f"part{k}.dat", size)
    if answer.variant == "before":
        answer.finish("short-writes", "writes end early and fail at the limit; check what a write returns")
    else:
        answer.finish("none", "each file is below the limit")


main()
