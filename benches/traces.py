"""How fast diya reads traces of other tools, against these tools themselves.

    python benches/traces.py --diya target/release/diya --logs ../shared/logs/generated \
        --tools target/agree-tools [--recorder BUILDS] [--rounds 3] [--only strace chrome ...]

``scripts/readers-agree.sh`` makes the tools; ``otf2-print`` is Debian's ``otf2-tools``, BUILDS as in
``scripts/recorder-samples.sh``. What is missing is said and left out. Measured as in readers.py:
processor time and peak memory of whole processes that take turns.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from readers import Line, measure, run_once

ROOT = Path(__file__).resolve().parents[1]
#: A question that needs every call.
COUNT = "select count(*), sum(size_bytes) from call"
ITERATE = """import sys, otf2
with otf2.reader.open(sys.argv[1]) as archive:
    for _ in archive.events: pass"""
STRACE_LINES = 1_000_000
CHROME_BYTES = 1 << 30


def strace_text(path: Path) -> None:
    """A program that writes and reads one file, a microsecond a call."""
    with path.open("w") as out:
        out.write('7 1700000000.000000 openat(AT_FDCWD</d>, "a", O_RDWR) = 3</d/a> <0.000010>\n')
        for number in range(1, STRACE_LINES):
            seconds, micros = divmod(number * 10, 1_000_000)
            name = "write" if number % 2 else "read"
            out.write(f'7 {1700000000 + seconds}.{micros:06} {name}(3</d/a>, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"..., 4096) = 4096 <0.000005>\n')


def chrome_text(path: Path, size: int) -> None:
    """Events of a profiler: regions, and a call in every tenth."""
    with path.open("w") as out:
        out.write('{"traceEvents":[\n')
        written = 0
        for number in itertools.count():
            if number % 10:
                event = f'{{"ph":"X","cat":"cpu_op","name":"aten::op_{number % 97}","pid":1,"tid":{number % 4},"ts":{number * 3},"dur":2,"args":{{"External id":{number},"Record function id":0,"Ev Idx":{number}}}}},\n'
            else:
                event = f'{{"ph":"X","cat":"posix","name":"pread","pid":1,"tid":1,"ts":{number * 3},"dur":2,"args":{{"file":"/data/part_{number % 50}","offset":{number},"ret":4096}}}},\n'
            written += len(event)
            out.write(event)
            if written > size:
                break
        out.write('{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}]}\n')


def strace(options: argparse.Namespace, work: Path) -> Iterator[Line]:
    """A million lines in less than a second."""
    text = work / "million.strace"
    strace_text(text)
    (read,) = measure(options.rounds, [options.diya, "sql", text, COUNT])
    yield Line("strace, 1 M lines: CPU", 1.0, read.cpu_s, "s")
    yield Line("strace, 1 M lines: peak memory", None, read.peak_bytes / 1e6, "MB")


def chrome(options: argparse.Namespace, work: Path) -> Iterator[Line]:
    """Memory that does not follow from the size of the file."""
    small, large = work / "small.json", work / "large.json"
    chrome_text(small, CHROME_BYTES // 8)
    chrome_text(large, CHROME_BYTES)
    costs = measure(options.rounds, *([options.diya, "sql", text, COUNT] for text in (small, large)))
    yield Line("Chrome, 1 GiB: memory, of an eighth of it", 1.5, costs[1].peak_bytes / costs[0].peak_bytes, "times")
    yield Line("Chrome, 1 GiB: peak memory", None, costs[1].peak_bytes / 1e6, "MB")
    yield Line("Chrome, 1 GiB: CPU", None, costs[1].cpu_s, "s")


def otf2(options: argparse.Namespace, work: Path) -> Iterator[Line]:
    """Ten million records against otf2-print, a tenth against the Python bindings."""
    for log, tool, limit in (("big_10m", "otf2-print", 1.0), ("big_1m", "bindings", 1 / 5)):
        archive = work / log / "traces.otf2"
        # Two records a call: half of the ranks are as many records as there are calls.
        half = ["--ranks", "0-7"] if log == "big_10m" else []
        run_once([options.diya, "export", "-q", options.logs / "lib-3.5.0" / f"{log}.darshan", *half, "--format", "otf2", "-o", archive.parent])
        other = [shutil.which("otf2-print"), archive] if tool == "otf2-print" else [options.tools / "otf2/bin/python", "-c", ITERATE, archive]
        if other[0] is None or not Path(other[0]).exists():
            print(f"otf2: {tool} is not there")
            continue
        read, theirs = measure(options.rounds if limit == 1.0 else 1, [options.diya, "sql", archive, COUNT], other)
        yield Line(f"OTF2, {log}: CPU, of {tool}", limit, read.cpu_s / theirs.cpu_s, "times")
        yield Line(f"OTF2, {log}: CPU", None, read.cpu_s, "s")


def dftracer(options: argparse.Namespace, work: Path) -> Iterator[Line]:
    """A million events against the statistics of dftracer-utils, which it indexes first."""
    folder = work / "dftracer"
    folder.mkdir()
    trace = folder / "trace.pfw.gz"
    run_once([options.diya, "export", "-q", options.logs / "lib-3.5.0/big_1m.darshan", "--format", "dftracer", "-o", trace])
    tool = options.tools / "dftracer/bin/dftracer_stats"
    if not tool.exists():
        print("dftracer: dftracer_stats is not there")
        return
    again = f'rm -rf "{folder}"/.dft* "{folder}"/*.idx "{folder}"/*index; exec "{tool}" -d "{folder}" --log-level off --report detailed --group-by name'
    read, theirs = measure(options.rounds, [options.diya, "sql", trace, COUNT], ["sh", "-c", again])
    yield Line("DFTracer, 1 M events: CPU, of dftracer_stats", None, read.cpu_s / theirs.cpu_s, "times")
    yield Line("DFTracer, 1 M events: CPU", None, read.cpu_s, "s")


def recorder(options: argparse.Namespace, work: Path) -> Iterator[Line]:
    """Traces of the corpus against recorder2text of their versions."""
    if options.recorder is None:
        print("recorder: no BUILDS were named")
        return
    for version in ("2.5", "3.0"):
        with tarfile.open(ROOT / f"corpus/traces/recorder_nest_{version}.tar") as packed:
            packed.extractall(work / version, filter="data")
        trace = work / version / "trace"
        tool = options.recorder / version / "bin/recorder2text"
        read, theirs = measure(options.rounds, [options.diya, "sql", trace, COUNT], [tool, trace])
        yield Line(f"Recorder {version}: CPU, of recorder2text", 1 / 5, read.cpu_s / theirs.cpu_s, "times")


PARTS = {"strace": strace, "chrome": chrome, "otf2": otf2, "dftracer": dftracer, "recorder": recorder}


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--logs", type=Path, required=True, help="the folder of generated logs")
    parser.add_argument("--tools", type=Path, default=ROOT / "target/agree-tools")
    parser.add_argument("--recorder", type=Path, help="builds of Recorder, by version")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    options.diya = options.diya.resolve()
    lines = []
    for name in options.only:
        with tempfile.TemporaryDirectory(prefix="diya-traces-") as work:
            lines += PARTS[name](options, Path(work))
    print(f"\n{os.cpu_count()} processors, medians of {options.rounds} rounds\n")
    print("| what | target | figure | |\n|---|---|---:|---|")
    print("\n".join(map(str, lines)))
    return 0 if all(line.limit is None or line.figure <= line.limit for line in lines) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd[0]} failed: {error.returncode}")
