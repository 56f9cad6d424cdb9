#!/usr/bin/env python3
"""What `diya open` takes for a log: time and memory to open, time of each tile over HTTP.

    benches/serve.py --diya target/release/diya LOG

Tiles are asked for as the page asks while somebody pans and zooms: one lane of
1600 x 300 cells with time in writes and reads and the longest call.
"""

import argparse
import json
import os
import random
import subprocess
import threading
import time
import urllib.request


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("log")
    options.add_argument("--diya", default="diya", help="the program")
    options.add_argument("--tiles", type=int, default=60, help="tiles per zoom")
    given = options.parse_args()
    command = [given.diya, "open", given.log, "--no-browser", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        measure(url, server.pid, given.tiles)
    finally:
        server.terminate()
        server.wait()


def measure(url: str, pid: int, tiles: int) -> None:
    """Prints the lines of the table."""
    base, token = url.split("/?token=")

    def ask(method: str, **arguments: object) -> tuple[dict, float, int]:
        body = json.dumps({"method": method, **arguments}).encode()
        headers = {"X-Diya-Token": token, "Content-Type": "application/json"}
        request = urllib.request.Request(f"{base}/r/0/api", data=body, headers=headers)
        start = time.monotonic()
        with urllib.request.urlopen(request) as response:
            answer = response.read()
        took_s = time.monotonic() - start
        length = int.from_bytes(answer[4:8], "little")
        return json.loads(answer[8 : 8 + length]), took_s, len(answer)

    begin_s = time.monotonic()
    described, open_s, _ = ask("describe", is_early=True)
    if "error" in described:
        raise SystemExit(described["error"])
    window = described["window"]
    tracks = described["tracks"]["rank"]["$column"][2]
    run_s = window["end_s"] - window["start_s"]
    calls = described["holding"]["rows_in_all"]
    print(f"calls               {open_s:8.2f} s   {calls:,} of {tracks} ranks, {used(pid)}")

    def tile(share: float, refine: bool = False) -> tuple[float, int]:
        length_s = run_s * share
        start_s = window["start_s"] + random.random() * (run_s - length_s)
        narrow = dict.fromkeys(["log", "start_s", "end_s", "tracks", "files", "kinds", "layers", "targets"])
        x = {"of": "time", "from": start_s, "to": start_s + length_s, "cells": 1600, "log": False}
        y = {"of": "track", "from": 0, "to": tracks, "cells": 300, "log": False}
        planes = ["busy_read", "busy_write", "longest"]
        _, took_s, size = ask("tile", filter=narrow, x=x, y=y, order=None, planes=planes, refine=refine)
        return took_s, size

    first_s, _ = tile(1)
    print(f"first tile          {first_s:8.3f} s")
    # The diagnosis goes on meanwhile: a page asks for tiles and waits for it.
    report = threading.Thread(target=ask, args=("report",))
    report.start()
    times = []
    while report.is_alive():
        times.append(tile(random.choice([1, 0.1, 0.01]))[0])
        time.sleep(0.1)
    report_s = time.monotonic() - begin_s
    times.sort()
    late_s = times[int(len(times) * 0.95)] if times else 0.0
    print(f"diagnosis           {report_s:8.2f} s   {used(pid)}; tiles meanwhile p95 {late_s * 1e3:.0f} ms")
    for name, share in [("all", 1.0), ("10 % of the time", 0.1), ("1 %", 0.01), ("0.01 %", 0.0001)]:
        times = sorted(tile(share) for _ in range(tiles))
        median, late = times[tiles // 2], times[int(tiles * 0.95)]
        print(f"tile, {name:<17} {median[0] * 1e3:6.1f} ms  p95 {late[0] * 1e3:.1f} ms, {median[1] / 1e6:.2f} MB")


def used(pid: int) -> str:
    """Processor time of a process, the memory that it holds, and the most that it held."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(") ", 1)[1].split()
    cpu_s = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        lines = dict(line.split(":", 1) for line in status)
    now, most = (int(lines[name].split()[0]) / 1e3 for name in ("VmRSS", "VmHWM"))
    return f"{cpu_s:.1f} CPU s, {now:,.0f} MB, {most:,.0f} MB at most"


if __name__ == "__main__":
    main()
