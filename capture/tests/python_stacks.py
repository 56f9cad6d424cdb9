"""Writes the lines that lead to each write, from the caller on, as Python itself knows them."""

import os
import sys
import threading

FD = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY | os.O_TRUNC)


def tell():
    frame, lines = sys._getframe(1), []
    while frame is not None:
        lines.append(f"{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    os.write(FD, (";".join(lines) + "\n").encode("ascii", "replace"))


class Held:
    def method(self):
        tell()

    def __lt__(self, other):
        tell()
        return True

    def größe(self):
        tell()


def numbers(count):
    for number in range(count):
        tell()
        yield number


def deep(levels):
    return tell() if levels == 0 else deep(levels - 1)


tell()
Held().method()
Held().größe()
sorted([Held(), Held()])
list(numbers(2))
[tell() for _ in range(2)]
(lambda: tell())()
exec(compile("def made():\n\n    tell()\nmade()", "made up", "exec"), {"tell": tell})
deep(12)
try:
    raise ValueError
except ValueError:
    tell()
thread = threading.Thread(target=deep, args=(3,))
thread.start()
thread.join()
os.close(FD)
