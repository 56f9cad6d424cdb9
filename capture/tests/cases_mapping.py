"""Mapped files: which pages were touched, and when they had to be fetched."""

from __future__ import annotations

import subprocess

from harness import HERE, Bench, equal

PAGE = 4096
NOT_KNOWN = (1 << 64) - 1


def run_mapped(bench: Bench, *words: str) -> None:
    program = bench.directory / "mapped"
    subprocess.run(["cc", "-w", "-D_GNU_SOURCE", "-o", program, HERE / "mapped.c"], check=True)
    equal(subprocess.run([program, bench.file, *words], env=bench.environment(), timeout=60).returncode, 0, "exit code")


def touched_pages_are_counted(bench: Bench) -> None:
    run_mapped(bench)
    parent, child = sorted(bench.read(), key=lambda s: s.header["first_ticks"])
    shapes = [
        (m["offset"] // PAGE, m["bytes"] // PAGE, m["touched_pages"], m["last_ticks"] > 0)
        for m in parent.mappings.values()
    ]
    equal(shapes, [(0, 64, 10, True), (32, 16, 4, False)], "mappings: first page, pages, touched, unmapped")
    shapes = [(m["offset"] // PAGE, m["bytes"] // PAGE, m["touched_pages"]) for m in child.mappings.values()]
    equal(shapes, [(8, 2, 1)], "mappings of the child")
    equal({parent.name(m["file"]) for m in parent.mappings.values()}, {str(bench.file)}, "file")
    unmapped = [c for c in parent.calls if c.function == "munmap"]
    equal(len(unmapped), 1, "munmap")


def of_many_mappings_some_are_looked_through(bench: Bench) -> None:
    run_mapped(bench, "2000")
    (recorded,) = bench.read()
    touched = {number: mapping["touched_pages"] for number, mapping in recorded.mappings.items()}
    asked = {number: 1 if number <= 1024 or number % 16 == 0 else NOT_KNOWN for number in range(1, 2001)}
    equal(touched, asked, "touched pages by number of the mapping")


def faults_have_a_place_and_a_time(bench: Bench) -> None:
    run_mapped(bench)
    parent = min(bench.read(), key=lambda s: s.header["first_ticks"])
    mapping = parent.mappings[1]
    if mapping["major_faults"] == 0:
        print("    not tried: this file system keeps pages that it is asked to drop")
        return
    if mapping["has_faults"] == 0:
        print("    not tried: page-fault events are not permitted here")
        return
    equal(mapping["major_faults"] >= 10, True, "major faults of the process")
    faults = parent.faults[1]
    equal(
        [offset // PAGE for _, offset in faults], [5 + 3 * i for i in range(10)], "pages, in the order of their faults"
    )
    first, last = parent.header["first_mono"], parent.header["last_mono"]
    times = [time for time, _ in faults]
    equal(times == sorted(times) and first <= times[0] and times[-1] <= last, True, "times within the process")


def without_mapped_files_there_is_nothing(bench: Bench) -> None:
    bench.run("endings", "return", str(bench.file), "100")
    equal(bench.read()[0].mappings, {}, "mappings")
