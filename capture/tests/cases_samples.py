"""Samples of the processor between calls."""

from __future__ import annotations

import subprocess

from harness import HERE, Bench, equal


def run_samples(bench: Bench, **settings: str) -> dict[str, list[str]]:
    program = bench.directory / "samples"
    command = [
        "cc",
        "-w",
        "-O1",
        "-fno-toplevel-reorder",
        "-D_GNU_SOURCE",
        "-o",
        program,
        HERE / "samples.c",
        "-lpthread",
    ]
    subprocess.run(command, check=True)
    env = bench.environment(**settings)
    done = subprocess.run([program, bench.file], env=env, capture_output=True, text=True, timeout=60)
    equal((done.returncode, done.stderr), (0, ""), "exit code, messages")
    return {words[0]: words[1:] for words in map(str.split, done.stdout.splitlines())}


def seconds(samples: list[tuple[int, int, int, int]], place: list[str]) -> float:
    first, end = (int(word, 16) for word in place)
    return sum(period for _, period, _, address in samples if first <= address < end) / 1e9


def near(found: float, wanted: float, what: str) -> None:
    if not wanted * 0.7 <= found <= wanted * 1.3:
        raise AssertionError(f"{what}: {found:.3f} s, not {wanted:.3f} s")


def processor_time_has_a_place(bench: Bench) -> None:
    said = run_samples(bench, DIYA_STACKS="1")
    equal(said["sleep"], ["0"], "the sleep is not interrupted")
    equal(bench.file.read_text(), "packed" * 4 + "slept" + "tt" + "cc", "what was written")
    parent, child = sorted(bench.read(), key=lambda s: s.header["first_ticks"])
    if parent.samples_refused:
        print("    not tried: samples of the processor are not permitted here")
        return
    near(seconds(parent.samples, said["packing"]), 0.24, "packing")
    near(seconds(parent.samples, said["computing"]), 0.08, "computing")
    near(seconds(parent.samples, said["threaded"]), 0.1, "of the thread")
    near(seconds(child.samples, said["in_child"]), 0.1, "of the child")
    equal(seconds(parent.samples, said["in_child"]), 0, "what the child did is not the parent's")
    tids = {tid for tid, *_ in parent.samples}
    equal(parent.header["pid"] in tids and len(tids) <= 2, True, "threads")
    first, last = parent.header["first_mono"], parent.header["last_mono"]
    equal(all(first <= mono <= last for _, _, mono, _ in parent.samples), True, "times within the process")
    equal(parent.samples_lost, 0, "lost")


def without_stacks_nothing_is_sampled(bench: Bench) -> None:
    run_samples(bench)
    equal([s.samples for s in bench.read()], [[], []], "samples")
