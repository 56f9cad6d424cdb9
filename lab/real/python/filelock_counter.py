"""Two processes take turns at a counter in a file under a lock (filelock)."""

from multiprocessing import Process
from pathlib import Path

from filelock import FileLock


def count() -> None:
    for _ in range(600):
        with FileLock("counter.lock", poll_interval=0.001):
            path = Path("counter.txt")
            path.write_text(str(int(path.read_text()) + 1))


if __name__ == "__main__":
    Path("counter.txt").write_text("0")
    workers = [Process(target=count) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
