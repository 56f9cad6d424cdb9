"""Compares what diya reads in traces of other tools with those tools' own sums; writes a page.

    python lab/agree/run.py --diya DIYA --work FOLDER --tools FOLDER [--page FILE] [--only FORMAT ...]
        [--recorder BUILDS --programs FOLDER]

`lab/agree/readers-agree.sh` makes the tools and calls this.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import formats
import recorder
from formats import Sums, command
from programs import PROGRAMS, python_programs

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = """select function as name, sum(calls) as calls from call group by function
union all select name, count(*) from region group by name"""
MOVED = """select coalesce(sum(case when op = 'read' then size_bytes end), 0) as read,
coalesce(sum(case when op = 'write' then size_bytes end), 0) as written from call where error is null"""
COUNTERS = {
    "POSIX": "opens reads writes",
    "STDIO": "opens reads writes",
    "MPIIO": "indep_opens coll_opens indep_reads coll_reads indep_writes coll_writes",
}


class Trace:
    """A trace with what its own tool says of it."""

    def __init__(self, name: str, path: Path, theirs: Sums) -> None:
        self.name, self.path, self.theirs = name, path, theirs


def rows(diya: Path, log: Path, sql: str) -> list[dict]:
    """Rows of an answer."""
    answer = subprocess.run([diya, "sql", "-q", "--format", "json", log, sql], check=True, capture_output=True)
    return json.loads(answer.stdout)


def ours(diya: Path, log: Path) -> Sums:
    """What diya reads."""
    sums = Sums()
    for row in rows(diya, log, FUNCTIONS):
        sums.calls[row["name"] or ""] += row["calls"]
    (moved,) = rows(diya, log, MOVED)
    sums.read, sums.written = moved["read"], moved["written"]
    return sums


# --- the traces of each format -------------------------------------------------------------


def strace_traces(options: argparse.Namespace) -> Iterator[Trace]:
    """Programs of Debian under `strace -C`, whose table is taken off the trace again."""
    for name, words in PROGRAMS.items():
        folder = options.work / "strace" / name
        folder.mkdir(parents=True)
        text = folder / "whole.txt"
        subprocess.run(
            ["strace", "-C", "-f", "-ttt", "-T", "-y", "-o", text, "sh", "-ec", words],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        trace = folder / f"{name}.strace"
        lines = text.read_text(errors="replace").splitlines(keepends=True)
        trace.write_text("".join(line for line in lines if line.split(maxsplit=1)[0].isdigit()))
        yield Trace(name, trace, formats.strace(text))


def recorder_traces(options: argparse.Namespace) -> Iterator[Trace]:
    """Those of the corpus and programs recorded now, with what recorder2text of the same version printed."""
    for text in sorted((ROOT / "corpus/recorder2text").glob("recorder_*.txt")):
        yield Trace(text.stem, ROOT / "corpus/traces" / f"{text.stem}.tar", recorder.of_corpus(text))
    for build in sorted(options.recorder.iterdir()) if options.recorder else []:
        for made in recorder.recorded(build, options.programs, options.work / "recorder"):
            yield Trace(*made)


def otf2_traces(options: argparse.Namespace) -> Iterator[Trace]:
    """Those of the corpus, and recordings of programs that the package otf2 writes."""
    peers, python = ROOT / "tests/peers", options.tools / "otf2/bin/python"
    for archive in sorted((ROOT / "corpus/traces").glob("otf2_*.tar")):
        folder = options.work / "otf2" / archive.stem
        folder.mkdir(parents=True)
        shutil.unpack_archive(archive, folder)
        (anchor,) = folder.rglob("*.otf2")
        yield Trace(archive.stem, archive, formats.otf2(command(python, peers / "otf2_text.py", anchor)))
    for name, words in list(PROGRAMS.items())[:4]:
        folder = options.work / "otf2" / name
        folder.mkdir(parents=True)
        command("sh", "-c", f'cd "{folder}" && "{options.diya}" run -q -o run.diya -- sh -ec \'{words}\'')
        command(python, peers / "otf2_of_recording.py", options.diya, folder / "run.diya", folder / "archive")
        anchor = folder / "archive/traces.otf2"
        yield Trace(name, anchor, formats.otf2(command(python, peers / "otf2_text.py", anchor)))


def darshan_traces(options: argparse.Namespace) -> Iterator[Trace]:
    """Texts of darshan-parser of logs of the corpus; `--total` has the sums."""
    parser = options.tools / "darshan/bin/darshan-parser"
    logs = ["ior_mpiio_coll_hints", "fsync_many", "nonmpi_cp", "mpiio_split", "hdf5_collective", "ior_posix_shared"]
    there = sorted((ROOT / "corpus/logs").glob("*.darshan"))
    chosen = [log for log in there if log.stem in logs] + [log for log in there if log.stem not in logs]
    for log in chosen[:6]:
        text, total = options.work / f"{log.stem}.txt", options.work / f"{log.stem}.total.txt"
        text.write_text(command(parser, "--base", log))
        total.write_text(command(parser, "--total", log))
        yield Trace(log.stem, text, formats.darshan(total))


def chrome_traces(options: argparse.Namespace) -> Iterator[Trace]:
    """Python programs under VizTracer, which says how many events it saved."""
    for name, program in python_programs(options.work / "chrome").items():
        trace = program.with_suffix(".json")
        said = command(options.tools / "viztracer/bin/viztracer", "-o", trace, program)
        yield Trace(name, trace, formats.viztracer(trace, said))


def dftracer_traces(options: argparse.Namespace) -> Iterator[Trace]:
    """Programs of Debian under DFTracer; dftracer-utils has the sums."""
    (library,) = (options.tools / "dftracer").rglob("libdftracer_preload.so")
    for name, words in PROGRAMS.items():
        folder = options.work / "dftracer" / name
        (folder / "in").mkdir(parents=True)
        (folder / "out").mkdir()
        # Its processes write a file each, the shell none: a trace is one process.
        settings = {
            "DFTRACER_ENABLE": "1",
            "DFTRACER_INIT": "PRELOAD",
            "DFTRACER_INC_METADATA": "1",
            "DFTRACER_DATA_DIR": "all",
            "DFTRACER_LOG_FILE": str(folder / "out/trace"),
        }
        subprocess.run(
            [
                "env",
                *(f"{key}={value}" for key, value in settings.items()),
                f"LD_PRELOAD={library}",
                "sh",
                "-ec",
                words,
            ],
            cwd=folder / "in",
            check=True,
            capture_output=True,
        )
        largest = max((folder / "out").glob("*.pfw*"), key=lambda trace: trace.stat().st_size)
        alone = folder / "alone"
        alone.mkdir()
        shutil.copy(largest, alone / "trace.pfw.gz")
        yield Trace(name, alone / "trace.pfw.gz", formats.dftracer(dftracer_sums(options, alone)))


def dftracer_sums(options: argparse.Namespace, folder: Path) -> str:
    """Statistics of the traces in a folder."""
    words = ["--log-level", "off", "--json", "--report", "detailed", "--group-by", "name"]
    done = subprocess.run(
        [options.tools / "dftracer/bin/dftracer_stats", "-d", folder, *words],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def written_traces(options: argparse.Namespace) -> Iterator[Trace]:
    """Logs that diya writes again, and what the tools find in the result."""
    logs = sorted((ROOT / "corpus/traces").glob("recorder_nest_*.tar"))[:4] + [ROOT / "corpus/traces/small.strace"]
    python, text = options.tools / "otf2/bin/python", ROOT / "tests/peers/otf2_text.py"
    for log in logs:
        folder = options.work / "written" / log.stem
        (folder / "dftracer").mkdir(parents=True)
        # dftracer-utils reads compressed files only, also of DFTracer itself.
        for kind, output in (("dftracer", folder / "dftracer/trace.pfw.gz"), ("otf2", folder / "otf2")):
            command(options.diya, "export", "-q", log, "--format", kind, "-o", output)
        yield Trace(f"{log.stem} as DFTracer", log, formats.dftracer(dftracer_sums(options, folder / "dftracer")))
        yield Trace(f"{log.stem} as OTF2", log, formats.otf2(command(python, text, folder / "otf2/traces.otf2")))


TRACES: dict[str, Callable[[argparse.Namespace], Iterator[Trace]]] = {
    "strace": strace_traces,
    "Recorder": recorder_traces,
    "OTF2": otf2_traces,
    "DFTracer": dftracer_traces,
    "Darshan text": darshan_traces,
    "Chrome": chrome_traces,
    "written by diya": written_traces,
}

# --- comparing -----------------------------------------------------------------------------


def read(diya: Path, kind: str, trace: Trace) -> Sums:
    """What diya reads, in the words of the other tool."""
    found = ours(diya, trace.path)
    if kind == "Darshan text":
        found.calls.clear()
        found.read = found.written = 0
        for module, names in COUNTERS.items():
            columns = ", ".join(f"sum({name}) as {name}" for name in [*names.split(), "bytes_read", "bytes_written"])
            (sums,) = rows(diya, trace.path, f"select {columns} from {module.lower()}")
            for name in names.split():
                found.calls[f"{module}_{name.upper()}"] += sums[name] or 0
            found.read += sums["bytes_read"] or 0
            found.written += sums["bytes_written"] or 0
        found.calls = Counter({name: found.calls[name] for name in trace.theirs.calls})
    elif kind == "Recorder":
        found.of_rank = recorder.of_rank(rows(diya, trace.path, recorder.OF_RANK))
    elif kind == "Chrome":
        found = Sums(Counter({"events": found.calls.total()}), None, None)
    elif kind == "strace":
        # strace also sees what is no I/O.
        trace.theirs.calls = Counter({name: trace.theirs.calls[name] for name in found.calls})
    elif trace.name.endswith(" as DFTracer"):
        # Regions are not written, and dftracer-utils has the bytes of POSIX and C streams only.
        found.calls = Counter(
            {row["name"]: row["calls"] for row in rows(diya, trace.path, FUNCTIONS.partition("union")[0])}
        )
        (moved,) = rows(diya, trace.path, MOVED + " and layer <> 'mpiio'")
        found.read, found.written = moved["read"], moved["written"]
    if "DFTracer" in kind + trace.name:
        # They mark the process and are no calls.
        for name in ("start", "end"):
            trace.theirs.calls.pop(name, None)
    return found


def differences(theirs: Sums, found: Sums) -> list[str]:
    """What is not the same."""
    names = sorted(set(theirs.calls) | set(found.calls))
    apart = [
        f"`{name}`: {theirs.calls[name]:,}; diya {found.calls[name]:,}"
        for name in names
        if theirs.calls[name] != found.calls[name]
    ]
    if (theirs.read, theirs.written) != (found.read, found.written):
        apart.append(
            f"bytes: {theirs.read:,} read, {theirs.written:,} written; diya {found.read:,} and {found.written:,}"
        )
    # The same of each rank would say a difference of the sums twice.
    return apart or recorder.apart(theirs.of_rank, found.of_rank)


#: Differences that are right, by format: what diya does otherwise, and why.
REASONS = ROOT / "lab/agree/reasons.json"


def main() -> int:
    """Compare, print, write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--recorder", type=lambda path: Path(path).resolve(), help="builds of Recorder, by version")
    parser.add_argument("--programs", type=lambda path: Path(path).resolve(), help="programs of workloads/, for MPICH")
    parser.add_argument("--only", nargs="+", choices=sorted(TRACES), default=list(TRACES))
    options = parser.parse_args()
    options.diya = options.diya.resolve()
    reasons = json.loads(REASONS.read_text())
    lines, faults = [], 0
    for kind in options.only:
        for trace in TRACES[kind](options):
            found = read(options.diya, kind, trace)
            apart = differences(trace.theirs, found)
            unexplained = [line for line in apart if not any(line.startswith(known) for known in reasons.get(kind, {}))]
            faults += bool(unexplained)
            moved = "" if found.read is None else f"{found.read:,} | {found.written:,}"
            answer = "equal" if not apart else "; ".join(apart)
            print(f"{kind} {trace.name}: {found.calls.total():,} calls, {answer}")
            lines.append(f"| {kind} | `{trace.name}` | {found.calls.total():,} | {moved or ' | '} | {answer} |")
    if options.page:
        page(options.page, lines, reasons)
    print(f"{len(lines)} traces, {faults} with a difference without a reason")
    return 1 if faults else 0


def page(path: Path, lines: list[str], reasons: dict) -> None:
    """Write the page."""
    why = [
        f"| {kind} | {what} | {reason} |"
        for kind, known in reasons.items()
        if kind in TRACES
        for what, reason in known.items()
    ]
    head = (ROOT / "lab/agree/head.md").read_text()
    table = [
        "| format | trace | calls | bytes read | written | sums of diya and of the other tool |",
        "| --- | --- | ---: | ---: | ---: | --- |",
        *lines,
    ]
    path.write_text(
        "\n".join(
            [
                head,
                *table,
                "",
                "## Differences that are right",
                "",
                "| format | what | why |",
                "| --- | --- | --- |",
                *why,
                "",
            ]
        )
    )


if __name__ == "__main__":
    sys.exit(main())
