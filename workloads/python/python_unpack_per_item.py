"""A script looks up stations in a packed list.

before  gzip unpacks the whole list for each station
after   it is unpacked once
"""

import gzip
import subprocess

from answer import Answer, raw_write_file

ROWS = 200_000


def unpacked(path: str) -> bytes:
    """The list, by the program that packs and unpacks."""
    return subprocess.run(["gzip", "-dc", path], stdout=subprocess.PIPE, check=True).stdout


def main() -> None:
    answer = Answer("python_unpack_per_item", ["before", "after"])
    stations = answer.scaled(12)
    path = answer.path("list.txt.gz")
    rows = (f"{row * 7919 % 9973:04d} station {row:06d} 51.{row % 90:02d} 6.{row % 80:02d}\n" for row in range(ROWS))
    packed = gzip.compress("".join(rows).encode(), 6, mtime=0)
    raw_write_file(path, packed)
    names = [b"station %06d " % number for number in range(1, ROWS, ROWS // stations)][:stations]
    answer.begin_io()
    if answer.variant == "before":
        found = sum(unpacked(path).count(name) for name in names)
    else:
        text = unpacked(path)
        found = sum(text.count(name) for name in names)
    assert found == len(names), found
    answer.end_io()
    answer.add_result_of(found, found)
    answer.add_file("list.txt.gz", len(packed))
    if answer.variant == "before":
        answer.finish("unpacking-per-item", "the list is unpacked for each station")
    else:
        answer.finish("none", "the list is unpacked once")


main()
