"""Limits, ends and the directory: a recorder without room is harmless."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from harness import Bench, equal

# --- descriptors and limits ---------------------------------------------------------------


def closing_everything_is_harmless(bench: Bench) -> None:
    equal(bench.run("descriptors", "close_all", str(bench.file)).returncode, 0, "exit code")
    equal([c.offset for c in bench.writes()], [8 * i for i in range(9)], "offsets")


def dup_over_everything_is_harmless(bench: Bench) -> None:
    equal(bench.run("descriptors", "dup_over", str(bench.file)).returncode, 0, "exit code")
    equal([c.offset for c in bench.writes()], [0, 8, 16, 24], "offsets")


def transfers_name_the_flags_of_their_descriptor(bench: Bench) -> None:
    equal(bench.run("descriptors", "two_kinds", str(bench.file)).returncode, 0, "exit code")
    found = [(c.op, c.offset, c.aux) for c in bench.read()[0].calls if c.op in ("read", "write")]
    dsync = 0o10000
    expected = [("write", 0, None), ("write", 8, dsync), ("write", 0, dsync), ("read", 0, dsync), ("write", 0, None)]
    equal(found, expected, "flags")


def without_descriptors_calls_are_counted(bench: Bench) -> None:
    equal(bench.run("descriptors", "no_descriptors", str(bench.file)).returncode, 0, "exit code")
    read = bench.read()[0]
    lost = sum(read.header["dropped"].values())
    writes = len(bench.writes())
    if not (writes > 5000 and writes + lost >= 41010):
        raise AssertionError(f"{writes} recorded, {lost} counted of 41010")


def a_segment_may_come_late(bench: Bench) -> None:
    done = bench.run("descriptors", "no_descriptors_at_start", str(bench.file))
    equal(done.returncode, 0, "exit code")
    lost = bench.read()[0].header["dropped"]["space"]
    if not (bench.writes() and len(bench.writes()) + lost >= 20):
        raise AssertionError(f"{len(bench.writes())} recorded, {lost} counted")


def a_segment_out_of_reach_is_harmless(bench: Bench) -> None:
    for mode in ("chroot", "seteuid"):
        shutil.rmtree(bench.segments, ignore_errors=True)
        done = bench.run("descriptors", mode, str(bench.file))
        if done.returncode == 77:
            continue  # not permitted here
        equal(done.returncode, 0, f"exit code after {mode}")
        lost = sum(bench.read()[0].header["dropped"].values())
        equal(len(bench.writes()) + lost, 40010, f"writes recorded or counted after {mode}")


def lost_calls_do_not_ask_for_the_segment_each_time(bench: Bench) -> None:
    strace = shutil.which("strace")
    if strace is None or os.geteuid() != 0:
        return
    for how in ("chroot", "seteuid"):
        for mode in ("trace", "profile"):
            shutil.rmtree(bench.segments, ignore_errors=True)
            settings = {"LD_PRELOAD": bench.library, "DIYA_DIR": str(bench.segments), "DIYA_MODE": mode}
            given = [word for name, value in settings.items() for word in ("-E", f"{name}={value}")]
            command = [
                strace,
                "-f",
                "-e",
                "trace=openat",
                *given,
                str(bench.programs / "descriptors"),
                how,
                str(bench.file),
            ]
            traced = subprocess.run(command, capture_output=True, text=True, timeout=120)
            opens = traced.stderr.count(f"{bench.segments}/")
            equal(0 < opens < 50, True, f"{opens} opens of the segment for 40,000 calls after {how}, {mode}")


def a_setuid_program_is_not_recorded(bench: Bench) -> None:
    if os.geteuid() != 0:
        return
    program = bench.directory / "setuid"
    shutil.copy(bench.programs / "endings", program)
    os.chown(program, 65534, 65534)
    os.chmod(program, 0o6755)
    os.chmod(bench.directory, 0o777)
    os.chmod(bench.directory.parent, 0o755)
    done = subprocess.run([program, "return", bench.file, "5"], env=bench.environment(), capture_output=True)
    equal(done.returncode, 44, "exit code")
    equal(bench.segments.exists(), False, "segments")


def the_recorder_raises_no_SIGXFSZ(bench: Bench) -> None:
    equal(bench.run("descriptors", "small_files", str(bench.file)).returncode, 0, "exit code")
    read = bench.read()[0]
    recorded = sum(c.function in ("pwrite", "lseek") for c in read.calls)
    counted = sum(sum(block["calls"]) for block in read.counters)
    lost = read.header["dropped"]["space"]
    if not (recorded > 3000 and recorded + max(lost, counted) >= 100000):
        raise AssertionError(f"{recorded} recorded, {counted} counted, {lost} dropped")


def no_room_for_a_segment_is_harmless(bench: Bench) -> None:
    equal(bench.run("descriptors", "tiny_files", str(bench.file)).returncode, 0, "exit code")
    equal(bench.read() if bench.segments.exists() else [], [], "segments")


def a_seccomp_filter_does_not_kill(bench: Bench) -> None:
    done = bench.run("seccomp", str(bench.file))
    if done.returncode == 77:
        return  # not permitted here
    equal(done.returncode, 0, "exit code")
    read = bench.read()[0]
    counted = sum(block["calls"][4] for block in read.counters)
    equal(len(bench.writes()) + counted, 60000, "writes recorded or counted")


# Writes to a file before and after it removes the recording.
REMOVES = """
import os, shutil, sys
folder, name, before, after, what, end = sys.argv[1:]
before, after = int(before), int(after)
fd = os.open(name, os.O_WRONLY | os.O_CREAT)
for _ in range(before): os.write(fd, b'x' * 8)
if what == 'folder': shutil.rmtree(folder)
else: [os.unlink(os.path.join(folder, one)) for one in os.listdir(folder)]
for _ in range(after): os.write(fd, b'x' * 8)
if end == 'kill': os.kill(os.getpid(), 9)
if end == 'exec': os.execv('/bin/true', ['true'])
"""


def removing(bench: Bench, what: str, before: int, after: int, end: str, **settings: str) -> int:
    shutil.rmtree(bench.segments, ignore_errors=True)
    words = [str(bench.segments), str(bench.file), str(before), str(after), what, end]
    command = [sys.executable, "-S", "-c", REMOVES, *words]
    done = subprocess.run(command, env=bench.environment(**settings), capture_output=True, text=True)
    equal(done.stderr, "", f"errors of {end}")
    return done.returncode


def a_segment_that_is_removed_is_a_loss_with_its_calls(bench: Bench) -> None:
    for before, after, end, code in (
        (10, 10, "exit", 0),
        (10, 600000, "exit", 0),
        (10, 600000, "kill", -9),
        (300000, 0, "exec", 0),
    ):
        for mode in ("trace", "profile"):
            equal(removing(bench, "files", before, after, end, DIYA_MODE=mode), code, f"exit code of {end}")
            (read,) = bench.read()
            equal((read.header["was_removed"], read.calls), (1, []), f"what is left after {end}, {mode}")
            calls, writes = read.header["removed_calls"], before + after
            least = writes if end != "kill" else writes - 4096  # those since the last clock point
            equal(least <= calls <= writes + 2000, True, f"{calls} calls of {end}, {mode}")


def a_removed_folder_stays_so(bench: Bench) -> None:
    equal(removing(bench, "folder", 10, 200000, "exit"), 0, "exit code")
    equal(bench.segments.exists(), False, "folder")


# --- ends ---------------------------------------------------------------------------------------


def ending(bench: Bench, how: str, code: int, state: int, exit_code: int) -> None:
    equal(bench.run("endings", how, str(bench.file), "30000").returncode, code, "exit code")
    read = bench.read()[0]
    equal(len(bench.writes()), 30000, "writes")
    equal(sum(c.calls for c in read.calls if c.function == "fputc"), 30000, "tiny calls")
    equal((read.header["state"], read.header["exit_code"]), (state, exit_code), "state and exit code")


def a_kill_loses_nothing(bench: Bench) -> None:
    ending(bench, "kill", -9, 1, -1)


def abort_loses_nothing(bench: Bench) -> None:
    ending(bench, "abort", -6, 1, -1)


def _exit_is_recorded(bench: Bench) -> None:
    ending(bench, "_exit", 41, 2, 41)


def quick_exit_is_recorded(bench: Bench) -> None:
    ending(bench, "quick_exit", 42, 2, 42)


def exit_is_recorded(bench: Bench) -> None:
    ending(bench, "exit", 43, 2, 43)


def return_from_main_is_recorded(bench: Bench) -> None:
    ending(bench, "return", 44, 2, 44)


# --- the directory -----------------------------------------------------------------------------------


def nothing_is_left_without_DIYA_DIR(bench: Bench) -> None:
    env = bench.environment()
    del env["DIYA_DIR"]
    equal(bench.run("endings", "return", str(bench.file), "10", env=env).returncode, 44, "exit code")
    equal(bench.segments.exists(), False, "directory")


def a_planted_directory_is_refused(bench: Bench) -> None:
    bench.segments.mkdir(mode=0o755)
    os.chmod(bench.segments, 0o755)
    equal(bench.run("endings", "return", str(bench.file), "10").returncode, 44, "exit code")
    equal(list(bench.segments.iterdir()), [], "segments")


def a_link_to_a_directory_is_refused(bench: Bench) -> None:
    real = bench.directory / "real"
    real.mkdir(mode=0o700)
    bench.segments.symlink_to(real)
    equal(bench.run("endings", "return", str(bench.file), "10").returncode, 44, "exit code")
    equal(list(real.iterdir()), [], "segments")


def a_missing_parent_directory_is_harmless(bench: Bench) -> None:
    env = bench.environment(DIYA_DIR=str(bench.directory / "no" / "where"))
    equal(bench.run("endings", "return", str(bench.file), "10", env=env).returncode, 44, "exit code")


def segments_are_private(bench: Bench) -> None:
    bench.run("endings", "return", str(bench.file), "10")
    equal(bench.segments.stat().st_mode & 0o777, 0o700, "mode of the directory")
    equal(bench.read()[0].path.stat().st_mode & 0o777, 0o600, "mode of the segment")


def a_full_file_system_is_harmless(bench: Bench) -> None:
    place = bench.directory / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", place], capture_output=True)
    if mounted.returncode != 0:
        return  # not permitted here; the limit of file sizes tests the same paths
    try:
        bench.segments = place / "segments"
        done = bench.run("endings", "return", str(bench.file), "400000")
        equal(done.returncode, 44, "exit code")
        read = bench.read()[0]
        recorded = sum(c.function == "write" for c in read.calls)
        counted = sum(block["calls"][4] for block in read.counters if block["layer"] == 1)
        equal(recorded + counted, 400000, "writes recorded or counted")
        equal(read.header["dropped5"], 0, "neither recorded nor counted")
    finally:
        subprocess.run(["umount", place], check=True)


def the_cap_switches_to_counters(bench: Bench) -> None:
    env = bench.environment(DIYA_MAX_TRACE="1500000")
    equal(bench.run("endings", "return", str(bench.file), "400000", env=env).returncode, 44, "exit code")
    read = bench.read()[0]
    recorded = sum(c.function == "write" for c in read.calls)
    counted = sum(block["calls"][4] for block in read.counters if block["layer"] == 1)
    equal(recorded + counted, 400000, "writes recorded or counted")
    written = sum(block["write"]["bytes"] for block in read.counters if block["layer"] == 1)
    equal(8 * recorded + written, 3200000, "bytes")
    names = {read.name(block["file"]) for block in read.counters}
    equal(str(bench.file) in names, True, "the file of the counters has a name")


def a_kill_loses_no_tiny_call_that_was_only_counted(bench: Bench) -> None:
    """Those since the last timed one are in a number of their own, for readers to add."""
    stream = str(bench.directory / "stream")
    for count in (30000, 30010, 30040):
        ran = bench.run(
            "endings", "kill", str(bench.file), str(count), stream, env=bench.environment(DIYA_MODE="profile")
        )
        equal(ran.returncode, -9, "exit code")
        read = max(bench.read(), key=lambda s: s.header["first_ticks"])
        block = next(b for b in read.counters if read.name(b["file"]) == stream)
        writes = block["write"]
        found = (block["calls"][4], writes["bytes"], writes["sizes"][0], writes["max_byte"])
        equal(found, (count, count, count, count - 1), "tiny calls")
        equal((writes["consecutive"], block["common_size"]), (count - 1, [(1, count)]), "their places and sizes")


def a_seek_ends_what_is_counted_together(bench: Bench) -> None:
    """The calls after it do not follow those before it."""
    code = (
        "import ctypes; c = ctypes.CDLL(None); c.fopen.restype = ctypes.c_void_p; "
        f"f = ctypes.c_void_p(c.fopen(b'{bench.file}', b'w+')); [c.fputc(120, f) for _ in range(200)]; "
        "c.fseek(f, 0, 0); [c.fgetc(f) for _ in range(50)]; c.fseek(f, 10, 0); [c.fgetc(f) for _ in range(20)]"
    )
    env = bench.environment(DIYA_MODE="profile")
    subprocess.run([sys.executable, "-S", "-c", code], env=env, check=True)
    read = bench.read()[0]
    block = next(b for b in read.counters if read.name(b["file"]) == str(bench.file) and b["layer"] == 2)
    equal((block["calls"][3], block["read"]["bytes"], block["read"]["max_byte"]), (70, 70, 49), "reads")


def profile_counts_all(bench: Bench) -> None:
    env = bench.environment(DIYA_MODE="profile")
    equal(bench.run("endings", "kill", str(bench.file), "30000", env=env).returncode, -9, "exit code")
    read = bench.read()[0]
    equal([c.function for c in read.calls], [], "records")
    blocks = {(read.name(b["file"]), b["layer"]): b for b in read.counters}
    block = blocks[(str(bench.file), 1)]
    equal((block["calls"][4], block["write"]["bytes"], block["write"]["consecutive"]), (30000, 240000, 29999), "writes")
    equal(blocks[("/dev/null", 2)]["calls"][4], 30000, "tiny calls")
    heat = sum(sum(h["written"]) for h in read.heatmaps if h["layer"] == 1)
    equal(240000 - 64 * 8 <= heat <= 240000, True, "bytes of the heat map, but for the last few calls before the kill")
