"""A script logs its progress.

before  every line is flushed: one small write each
after   lines are collected by the file's buffer of 1 MiB
"""

from answer import Answer, mix


def main() -> None:
    answer = Answer("python_flush_per_line", ["before", "after"])
    lines = answer.scaled(3000)
    is_flushed = answer.variant == "before"
    size_bytes = 0
    answer.begin_io()
    with open(answer.path("progress.log"), "wb", buffering=1 << 20) as file:
        answer.count("posix", opens=1)
        for step in range(lines):
            line = b"step %20d residual %020d\n" % (step, mix(step + 1))
            size_bytes += file.write(line)
            if is_flushed:
                file.flush()
                answer.count("posix", writes=1, bytes_written=len(line))
    answer.count("posix", closes=1, reads=0, bytes_read=0)
    if not is_flushed:
        # The buffer is written out when a line no longer fits, and at the end.
        answer.count("posix", bytes_written=size_bytes)
    answer.end_io()
    for step in range(lines):
        answer.add_result_of(mix(step + 1), 8)
    answer.add_file("progress.log", size_bytes)
    if is_flushed:
        answer.finish("small-requests", "a flush after every line makes a write of each; let the buffer fill")
    else:
        answer.finish("none", "lines leave in large writes")


main()
