"""A script parses a file of records.

before  one unbuffered read of 64 bytes per record
after   reads of 1 MiB, records taken from memory
"""

from answer import Answer, pattern, raw_write_file

RECORD_BYTES = 64
REQUEST_BYTES = 1 << 20


def main() -> None:
    answer = Answer("python_small_reads", ["before", "after"])
    size_bytes = answer.scaled(4000) * RECORD_BYTES
    raw_write_file(answer.path("records.dat"), pattern(0, size_bytes // 8))
    request_bytes = RECORD_BYTES if answer.variant == "before" else REQUEST_BYTES
    pieces = []
    answer.begin_io()
    with open(answer.path("records.dat"), "rb", buffering=0) as file:
        answer.count("posix", opens=1)
        while True:
            piece = file.read(request_bytes)
            answer.count("posix", reads=1, bytes_read=len(piece))
            if not piece:
                break  # the end of a file is found by a read of no bytes
            pieces.append(piece)
    answer.count("posix", closes=1, writes=0, bytes_written=0)
    answer.end_io()
    answer.add_result(b"".join(pieces), 0)
    answer.add_file("records.dat", size_bytes, holds_result=True)
    if answer.variant == "before":
        answer.finish("small-requests", "unbuffered reads of 64 bytes; read 1 MiB at a time")
    else:
        answer.finish("none", "the file is read in requests of 1 MiB")


main()
