"""How fast diya reads traces of other tools, against these tools themselves.

    python benches/traces.py --diya target/release/diya --logs ../shared/logs/generated \
        --tools target/agree-tools [--recorder BUILDS] [--analyzer PYTHON] [--rounds 3]
        [--only strace chrome ...] [--json FILE]

``lab/agree/readers-agree.sh`` makes the tools; ``otf2-print`` is Debian's ``otf2-tools``, BUILDS as in
``scripts/recorder-samples.sh``. PYTHON has DFTracer's analyzer, which needs one package from source:
``pip install --only-binary :all: --no-binary antlr4-python3-runtime dftracer-analyzer==0.0.9
dftracer-utils==0.0.12``.
What is missing is said and left out. Measured as in readers.py: processor time and peak memory of
whole processes that take turns. ``trace_cost.py`` makes lab/costs/trace-cost.md of FILE.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import subprocess
import sys
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
#: A question that needs no call, but the whole file.
JOB = "select run_time_s from job"
#: What reads a text of strace without understanding it: the sum of all results.
AWK = r'/ (read|write)\(/ { n = split($0, part, ") = "); sum += part[n] } END { print sum }'
LOAD_JSON = "import json, sys; print(len(json.load(open(sys.argv[1]))['traceEvents']))"
STRACE_LINES = 1_000_000
CHROME_BYTES = 1 << 30
RECORDER_CALLS = 500_000


def strace_text(path: Path) -> None:
    """A program that writes and reads one file, a microsecond a call."""
    with path.open("w") as out:
        out.write('7 1700000000.000000 openat(AT_FDCWD</d>, "a", O_RDWR) = 3</d/a> <0.000010>\n')
        for number in range(1, STRACE_LINES):
            seconds, micros = divmod(number * 10, 1_000_000)
            name = "write" if number % 2 else "read"
            out.write(
                f'7 {1700000000 + seconds}.{micros:06} {name}(3</d/a>, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"..., '
                "4096) = 4096 <0.000005>\n"
            )


def chrome_text(path: Path, size: int) -> None:
    """Events of a profiler: regions, and a call in every tenth."""
    with path.open("w") as out:
        out.write('{"traceEvents":[\n')
        written = 0
        for number in itertools.count():
            if number % 10:
                event = (
                    f'{{"ph":"X","cat":"cpu_op","name":"aten::op_{number % 97}","pid":1,"tid":{number % 4},'
                    f'"ts":{number * 3},"dur":2,"args":{{"External id":{number},"Record function id":0,'
                    f'"Ev Idx":{number}}}}},\n'
                )
            else:
                event = (
                    f'{{"ph":"X","cat":"posix","name":"pread","pid":1,"tid":1,"ts":{number * 3},"dur":2,'
                    f'"args":{{"file":"/data/part_{number % 50}","offset":{number},"ret":4096}}}},\n'
                )
            written += len(event)
            out.write(event)
            if written > size:
                break
        out.write('{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}]}\n')


def strace(options: argparse.Namespace, work: Path) -> Iterator[Line]:
    """A million lines in less than a second."""
    text = work / "million.strace"
    strace_text(text)
    read, awk = measure(options.rounds, [options.diya, "sql", text, COUNT], ["mawk", AWK, text])
    yield Line("strace, 1 M lines: CPU", 1.0, read.cpu_s, "s")
    yield Line("strace, 1 M lines: CPU, of mawk that adds up the results", None, read.cpu_s / awk.cpu_s, "times")
    yield Line("strace, 1 M lines: peak memory", None, read.peak_bytes / 1e6, "MB")


def chrome(options: argparse.Namespace, work: Path) -> Iterator[Line]:
    """Memory that does not follow from the size of the file."""
    small, large = work / "small.json", work / "large.json"
    chrome_text(small, CHROME_BYTES // 8)
    chrome_text(large, CHROME_BYTES)
    texts = ((small, JOB), (large, JOB), (small, COUNT), (large, COUNT))
    job, large_job, calls, large_calls = measure(1, *([options.diya, "sql", *of] for of in texts))
    yield Line("Chrome, 1 GiB: memory, of an eighth of it", 1.2, large_job.peak_bytes / job.peak_bytes, "times")
    yield Line("Chrome, 1 GiB: peak memory", None, large_job.peak_bytes / 1e6, "MB")
    yield Line("Chrome, 1 GiB, with table `call`: peak memory", None, large_calls.peak_bytes / 1e6, "MB")
    yield Line("Chrome, 1 GiB: CPU, of an eighth of it", 8.5, large_calls.cpu_s / calls.cpu_s, "times")
    read, theirs = measure(
        options.rounds, [options.diya, "sql", small, COUNT], [sys.executable, "-c", LOAD_JSON, small]
    )
    yield Line("Chrome, 128 MiB: CPU, of Python's json.load", 1.0, read.cpu_s / theirs.cpu_s, "times")
    yield Line(
        "Chrome, 128 MiB: peak memory, of Python's json.load", None, read.peak_bytes / theirs.peak_bytes, "times"
    )


def otf2(options: argparse.Namespace, work: Path) -> Iterator[Line]:
    """Ten million records against otf2-print, a tenth against the Python bindings."""
    for log, tool, limit in (("big_10m", "otf2-print", 1.0), ("big_1m", "bindings", 1 / 5)):
        archive = work / log / "traces.otf2"
        # Two records a call: half of the ranks are as many records as there are calls.
        half = ["--ranks", "0-7"] if log == "big_10m" else []
        run_once(
            [
                options.diya,
                "export",
                "-q",
                options.logs / "lib-3.5.0" / f"{log}.darshan",
                *half,
                "--format",
                "otf2",
                "-o",
                archive.parent,
            ]
        )
        other = (
            [shutil.which("otf2-print"), archive]
            if tool == "otf2-print"
            else [options.tools / "otf2/bin/python", "-c", ITERATE, archive]
        )
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
    run_once(
        [options.diya, "export", "-q", options.logs / "lib-3.5.0/big_1m.darshan", "--format", "dftracer", "-o", trace]
    )
    # Both make an index first; without it they say nothing.
    clean = f'rm -rf "{folder}"/.dft* "{folder}"/*.idx "{folder}"/*index'
    tool = options.tools / "dftracer/bin/dftracer_stats"
    if tool.exists():
        again = f'{clean}; exec "{tool}" -d "{folder}" --log-level off --report detailed --group-by name'
        read, theirs = measure(options.rounds, [options.diya, "sql", trace, COUNT], ["sh", "-c", again])
        yield Line("DFTracer, 1 M events: CPU, of dftracer_stats", None, read.cpu_s / theirs.cpu_s, "times")
        yield Line("DFTracer, 1 M events: CPU", None, read.cpu_s, "s")
    else:
        print("dftracer: dftracer_stats is not there")
    if options.analyzer is None:
        print("dftracer: no PYTHON with the analyzer was named")
        return
    again = f'{clean}; exec "{options.analyzer}" -W ignore "{ROOT}/benches/dftracer_analyzer.py" "{folder}"'
    read, theirs, start = measure(
        options.rounds,
        [options.diya, "sql", trace, COUNT],
        ["sh", "-c", again],
        ["sh", "-c", f"{again} start"],
    )
    yield Line("DFTracer, 1 M events: CPU, of the load of its analyzer", 1 / 10, read.cpu_s / theirs.cpu_s, "times")
    yield Line("the same, without its start", None, read.cpu_s / (theirs.cpu_s - start.cpu_s), "times")


def recorder(options: argparse.Namespace, work: Path) -> Iterator[Line]:
    """Traces of many calls, recorded here, against recorder2text of their versions."""
    if options.recorder is None:
        print("recorder: no BUILDS were named")
        return
    program = work / "recorder_calls"
    subprocess.run(["mpicc.mpich", "-O1", "-o", program, ROOT / "benches/recorder_calls.c"], check=True)
    for version in ("2.5", "3.0"):
        build = options.recorder.resolve() / version
        tool, library = build / "bin/recorder2text", build / "lib/librecorder.so"
        if not tool.exists():
            print(f"recorder: {tool} is not there")
            continue
        folder = work / version
        folder.mkdir()
        made = folder / "made"
        made.mkdir()
        environment = ["-genv", "RECORDER_TRACES_DIR", made, "-genv", "LD_PRELOAD", library]
        command = ["mpirun.mpich", "-n", "1", *environment, program, work / "file", str(RECORDER_CALLS)]
        # At its end version 3.0 has all signatures on the stack.
        command = ["sh", "-c", 'ulimit -s unlimited; exec "$@"', "sh", *command]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (listed,) = made.rglob("recorder.mt")
        # Tools of some versions take no other letters in a path.
        trace = listed.parent.rename(folder / "trace")
        read, theirs = measure(options.rounds, [options.diya, "sql", trace, COUNT], [tool, trace])
        name = f"Recorder {version}, {RECORDER_CALLS:,} calls"
        yield Line(f"{name}: CPU, of recorder2text", 1 / 5, read.cpu_s / theirs.cpu_s, "times")
        yield Line(f"{name}: CPU", None, read.cpu_s, "s")


PARTS = {"strace": strace, "chrome": chrome, "otf2": otf2, "dftracer": dftracer, "recorder": recorder}


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--logs", type=Path, required=True, help="the folder of generated logs")
    parser.add_argument("--tools", type=Path, default=ROOT / "target/agree-tools")
    parser.add_argument("--recorder", type=Path, help="builds of Recorder, by version")
    parser.add_argument("--analyzer", type=Path, help="a Python with DFTracer's analyzer")
    parser.add_argument("--json", type=Path, help="where the figures go")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    options.diya = options.diya.resolve()
    lines = []
    for name in options.only:
        with tempfile.TemporaryDirectory(prefix="diya-traces-") as work:
            lines += PARTS[name](options, Path(work))
    if options.json:
        options.json.write_text(json.dumps([vars(line) for line in lines], indent=1))
    print(f"\n{os.cpu_count()} processors, medians of {options.rounds} rounds\n")
    print("| what | target | figure | |\n|---|---|---:|---|")
    print("\n".join(map(str, lines)))
    return 0 if all(line.limit is None or line.figure <= line.limit for line in lines) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd[0]} failed: {error.returncode}")
