"""Writes from known lines, for the test of Python frames."""

import os
import sys


def inner(fd):
    os.write(fd, b"8 bytes\n")  # line 8


def outer(fd):
    for _ in range(3):
        inner(fd)  # line 13
    os.write(fd, b"8 bytes\n")  # line 14


outer(os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY))
