"""A script looks for its input in several folders.

before  every folder is asked for every file, and most of them do not have it
after   each folder is listed once
"""

import os

from answer import Answer, pattern, raw_mkdir, raw_write_file

FOLDERS = 8
WORDS = 16


def main() -> None:
    answer = Answer("python_search_path", ["before", "after"])
    files = answer.scaled(400)
    folders = [answer.path(f"site{k}") for k in range(FOLDERS)]
    for folder in folders:
        raw_mkdir(folder)
    # The last folder that is asked has them all.
    for number in range(files):
        raw_write_file(f"{folders[-1]}/table.{number}", pattern(number * WORDS, WORDS))
        answer.add_file(f"site{FOLDERS - 1}/table.{number}", 8 * WORDS, holds_result=True)
    answer.begin_io()
    if answer.variant == "after":
        places = {name: f"{folder}/{name}" for folder in folders for name in os.listdir(folder)}
        answer.count("posix", opens=FOLDERS, closes=FOLDERS)
    for number in range(files):
        name = f"table.{number}"
        if answer.variant == "after":
            fd = os.open(places[name], os.O_RDONLY)
        else:
            fd = first_that_has(folders, name)
        answer.add_result(os.read(fd, 8 * WORDS), number * WORDS)
        os.close(fd)
        answer.count("posix", opens=1, reads=1, bytes_read=8 * WORDS, closes=1)
    answer.count("posix", writes=0, bytes_written=0)
    answer.end_io()
    if answer.variant == "before":
        answer.finish("failed-opens", "most opens find nothing; list the folders once, or name the place")
    else:
        answer.finish("none", "each file is opened once, where it is")


def first_that_has(folders: list[str], name: str) -> int:
    """Descriptor of the file in the first folder that has it."""
    for folder in folders:
        try:
            return os.open(f"{folder}/{name}", os.O_RDONLY)
        except FileNotFoundError:
            continue
    raise FileNotFoundError(name)


main()
