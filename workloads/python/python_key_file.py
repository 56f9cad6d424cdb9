"""A script looks up records by their key.

before  in a key file (dbm.dumb): each look-up opens the data, seeks, reads and closes
after   in memory, after one read of the data
"""

import dbm.dumb

from answer import Answer, pattern, raw_write_file

WORDS = 64
BLOCK_BYTES = 512
PASSES = 20


def write_key_file(answer: Answer, records: int) -> None:
    """The files that dbm.dumb reads, written unseen: values begin at multiples of a block."""
    index = "".join(f"'{key}', ({key * BLOCK_BYTES}, {8 * WORDS})\n" for key in range(records))
    raw_write_file(answer.path("records.dir"), index.encode())
    raw_write_file(answer.path("records.dat"), pattern(0, records * WORDS))
    answer.add_file("records.dir", len(index))
    answer.add_file("records.dat", 8 * WORDS * records, holds_result=True)


def main() -> None:
    answer = Answer("python_key_file", ["before", "after"])
    records = answer.scaled(400)
    write_key_file(answer, records)
    found: dict[int, bytes] = {}
    answer.begin_io()
    if answer.variant == "before":
        with dbm.dumb.open(answer.path("records"), "r") as table:
            for _ in range(PASSES):
                for key in range(records):
                    found[key] = table[str(key)]
    else:
        with open(answer.path("records.dat"), "rb") as file:
            content = file.read()
        for _ in range(PASSES):
            for key in range(records):
                found[key] = content[key * BLOCK_BYTES : key * BLOCK_BYTES + 8 * WORDS]
    answer.end_io()
    for key in range(records):
        answer.add_result(found[key], key * WORDS)
    if answer.variant == "before":
        answer.finish("unpacking", "a library opens its file for each record; keep the records in memory")
    else:
        answer.finish("none", "the file is read once")


main()
