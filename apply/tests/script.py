"""What Python programs do with files that they write in small pieces; prints what they see."""

import ctypes
import hashlib
import mmap
import multiprocessing
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading


def lines(file, count: int) -> None:
    for i in range(count):
        file.write(b"line %d\n" % i)


def digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha1(file.read()).hexdigest()[:12]


def child_digest(path: str) -> str:
    script = "import hashlib,sys;print(hashlib.sha1(open(sys.argv[1],'rb').read()).hexdigest()[:12])"
    return subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True).stdout.strip()


def looked_at() -> None:
    with open("a", "wb", buffering=0) as file:
        lines(file, 500)
        print("own", digest("a"), os.stat("a").st_size, file.tell())
        lines(file, 500)
        print("child", child_digest("a"))
        lines(file, 500)
        with open("a", "r+b") as second, mmap.mmap(second.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            lines(file, 500)
            print("mapped", hashlib.sha1(mapped[:]).hexdigest()[:12], len(mapped))
        lines(file, 500)
    with open("a+", "w+b", buffering=0) as file:
        lines(file, 500)
        file.seek(10)
        print("read", file.read(30))
        lines(file, 300)
        os.truncate("a+", 3000)
        lines(file, 300)
        print("size", os.fstat(file.fileno()).st_size)


def around_libc() -> None:
    libc = ctypes.CDLL("libc.so.6", use_errno=True)
    with open("b", "wb", buffering=0) as file:
        for _ in range(200):
            lines(file, 20)
            libc.write(file.fileno(), b"by libc\n", 8)


def forked() -> None:
    with open("c", "wb", buffering=0) as file:
        lines(file, 500)
        child = os.fork()
        if child == 0:
            lines(file, 100)
            os._exit(0)
        os.waitpid(child, 0)
        lines(file, 500)


def worker(lock, path: str, mark: int) -> None:
    for i in range(50):
        with lock, open(path, "ab", buffering=0) as file:
            for _ in range(20):
                file.write(b"%d %d\n" % (mark, i))


def processes() -> None:
    lock = multiprocessing.get_context("fork").Lock()
    started = [multiprocessing.get_context("fork").Process(target=worker, args=(lock, "d", mark)) for mark in range(3)]
    for one in started:
        one.start()
    for one in started:
        one.join()
    blocks = open("d", "rb").read().splitlines()
    print("blocks", len(blocks), all(len(set(blocks[i : i + 20])) == 1 for i in range(0, len(blocks), 20)))


def threaded() -> None:
    def write(name: str) -> None:
        with open(name, "wb", buffering=0) as file:
            lines(file, 2000)

    started = [threading.Thread(target=write, args=(f"t{i}",)) for i in range(4)]
    for one in started:
        one.start()
    for one in started:
        one.join()


def told_by_socket() -> None:
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        while theirs.recv(1):
            theirs.send(digest("e").encode())
        os._exit(0)
    theirs.close()
    with open("e", "wb", buffering=0) as file:
        for _ in range(20):
            lines(file, 100)
            ours.send(b"?")
            print("socket", ours.recv(12).decode())
    ours.close()
    os.waitpid(child, 0)


def copies() -> None:
    with open("f", "wb", buffering=0) as file:
        lines(file, 1000)
        shutil.copyfile("f", "f2")
        lines(file, 1000)
        os.utime("f", (1, 1))
    print("time", os.stat("f").st_mtime == 1, digest("f2"))
    os.rename("f", "f3")
    with tempfile.NamedTemporaryFile(dir=".", buffering=0) as file:
        lines(file, 1000)
        print("temporary", digest(file.name))
    fd = os.open("g", os.O_RDWR | os.O_CREAT | os.O_EXCL)
    for i in range(1000):
        os.pwrite(fd, b"%08d" % i, i * 8)
    print("pread", os.pread(fd, 16, 4000))
    os.close(fd)


def database() -> None:
    with sqlite3.connect("h") as base:
        base.execute("create table a (b integer)")
        base.executemany("insert into a values (?)", ((i,) for i in range(5000)))
    print("sum", base.execute("select sum(b) from a").fetchone())


for part in (looked_at, around_libc, forked, processes, threaded, told_by_socket, copies, database):
    part()
    sys.stdout.flush()
