#!/usr/bin/env python3
"""How fast the page of `diya fleet serve` is answered: the list of jobs and the figures, with filters.

    benches/fleet_serve.py --diya target/release/diya DATASET

The fleet: `cargo xtask fleet-logs LOGS --jobs 100000`, then `diya fleet ingest LOGS -o DATASET
--system demo --no-findings`. Filters of the table run in the browser, without the server: for
these see "100,000 jobs open" in web/test/browser/fleet.test.ts.
"""

import argparse
import json
import statistics
import subprocess
import time
import urllib.request

FILTERS = [{"user": "emil"}, {"program": "sei"}, {"search": "id1234"}, {"from_s": 1772582400, "before_s": 1772755200}]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("dataset")
    options.add_argument("--diya", default="diya", help="the program")
    options.add_argument("--times", type=int, default=5, help="requests of each kind; the median counts")
    given = options.parse_args()
    command = [given.diya, "fleet", "serve", given.dataset, "--no-browser", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        measure(json.loads(server.stdout.readline())["url"], given.times)
    finally:
        server.terminate()
        server.wait()


def measure(url: str, times: int) -> None:
    """Prints the lines of the table."""
    base, token = url.split("/?token=")

    def ask(**request: object) -> tuple[float, bytes]:
        body = json.dumps(request).encode()
        begin = time.perf_counter()
        with urllib.request.urlopen(urllib.request.Request(f"{base}/fleet", body, {"X-Diya-Token": token})) as answer:
            got = answer.read()
        return time.perf_counter() - begin, got

    def line(name: str, **request: object) -> None:
        first, got = ask(**request)
        again = statistics.median(ask(**request)[0] for _ in range(times))
        print(f"| {name} | {first:.3f} | {again:.3f} | {len(got):,} |")

    print("| request | first s | again s | bytes |\n|---|---|---|---|")
    line("page opened", method="head")
    for one in FILTERS:
        line(f"jobs {json.dumps(one)}", method="jobs", filter=one)
    _, head = ask(method="head")
    length = int.from_bytes(head[4:8], "little")
    names = [of["name"] for of in json.loads(head[8 : 8 + length])["head"]["questions"]]
    for one in ({}, FILTERS[0]):
        took = [ask(method="answer", question=name, filter=one)[0] for name in names]
        slowest = names[took.index(max(took))]
        print(f"| all {len(took)} figures {json.dumps(one)} | {sum(took):.3f} | slowest: {slowest} {max(took):.3f} | |")


if __name__ == "__main__":
    main()
