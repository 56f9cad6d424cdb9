"""Programs in user namespaces, in other root folders and as other users."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from harness import Bench, equal

PYTHON = "/usr/bin/python3"
# `system` and `popen` of the C library, by which Python itself starts nothing.
LIBRARY = (
    "import ctypes; c = ctypes.CDLL(None); c.popen.restype = ctypes.c_void_p; c.pclose.argtypes = [ctypes.c_void_p]\n"
)


def root_folder(bench: Bench) -> Path:
    """A small tree with a shell and `cat`, and without the recorder."""
    root = bench.directory / "root"
    for program in ("/bin/sh", "/bin/cat"):
        listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        for file in [program, *re.findall(r"(/\S+) \(0x", listed)]:
            place = root / file.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(file).resolve(), place)
    (root / "text").write_text("in another root folder\n")
    return root


def both(bench: Bench, command: list[str]) -> tuple[str, list[tuple[str, str]]]:
    """Runs it without and with the recorder: its output, and what it started."""
    bare = bench.environment()
    for name in ("LD_PRELOAD", "DIYA_DIR"):
        del bare[name]
    answers = []
    for env in (bare, bench.environment()):
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
        answers.append((done.returncode, done.stdout, done.stderr))
    equal(answers[1], answers[0], f"exit code, output and errors of {command[0]}")
    found = {(Path(program).name, reason) for s in bench.read() for _, reason, program in s.started}
    return answers[1][1], sorted(found)


def has_namespaces() -> bool:
    return subprocess.run(["unshare", "-Ur", "true"], capture_output=True).returncode == 0


def python(bench: Bench, code: str) -> list[str]:
    """A Python program that is root, if only in a user namespace."""
    return [*([] if os.geteuid() == 0 else ["unshare", "-Ur"]), PYTHON, "-c", code, str(root_folder(bench))]


def a_program_in_a_user_namespace_is_recorded(bench: Bench) -> None:
    if not has_namespaces():
        return
    bench.file.write_text("text\n")
    for options in (["-Ur"], ["-U"], ["-Urmpf", "--mount-proc"]):
        shutil.rmtree(bench.segments, ignore_errors=True)
        output, started = both(bench, ["unshare", *options, "cat", str(bench.file)])
        equal(
            (output, ("cat", "recordable") in started), ("text\n", True), f"output, and what was started with {options}"
        )
        reads = [
            call.done for s in bench.read() for call in s.calls if call.op == "read" and call.path == str(bench.file)
        ]
        equal(reads, [5, 0], f"reads with {options}")


def a_root_folder_without_the_recorder_is_named(bench: Bench) -> None:
    if not has_namespaces() and os.geteuid() != 0:
        return
    root = str(root_folder(bench))
    ways = [["unshare", "-Urm", "--root", root]] if has_namespaces() else []
    ways += [["chroot", root]] if os.geteuid() == 0 else []
    for way in ways:
        shutil.rmtree(bench.segments, ignore_errors=True)
        output, started = both(bench, [*way, "/bin/cat", "/text"])
        equal((output, ("cat", "unreachable") in started), ("in another root folder\n", True), f"output, and {started}")


def every_way_to_start_a_program_after_chroot_is_silent(bench: Bench) -> None:
    if not has_namespaces() and os.geteuid() != 0:
        return
    ways = {
        "execve": "os.execve('/bin/cat', ['cat', '/text'], os.environ)",
        "execv": "os.execv('/bin/cat', ['cat', '/text'])",
        "execvp": "c.execvp(b'cat', (ctypes.c_char_p * 3)(b'cat', b'/text', None))",
        "execl": "c.execlp(b'cat', b'cat', b'/text', None)",
        "fexecve": "c.fexecve(os.open('/bin/cat', os.O_RDONLY), (ctypes.c_char_p * 3)(b'cat', b'/text', None), "
        "ctypes.c_void_p.in_dll(c, 'environ'))",
        "posix_spawn": "os.waitpid(os.posix_spawn('/bin/cat', ['cat', '/text'], os.environ), 0)",
        "posix_spawnp": "os.waitpid(os.posix_spawnp('cat', ['cat', '/text'], os.environ), 0)",
        "vfork": "subprocess.run(['/bin/cat', '/text'])",
        "system": "c.system(b'cat /text')",
        "popen": "c.pclose(c.popen(b'cat /text', b'w'))",
    }
    for name, code in ways.items():
        shutil.rmtree(bench.segments, ignore_errors=True)
        shutil.rmtree(bench.directory / "root", ignore_errors=True)
        before = LIBRARY + "import os, subprocess, sys\nopen('/dev/null').close(); os.chroot(sys.argv[1])\n"
        output, started = both(bench, python(bench, before + code))
        equal(output, "in another root folder\n", f"output of {name}")
        # Without /proc a descriptor has no name: the log has a program of which nothing is known.
        reasons = [] if name == "fexecve" else ["unreachable"]
        equal([reason for _, reason in started if reason != "recordable"], reasons, f"reason of {name}")


def other_libraries_stay_in_the_environment(bench: Bench) -> None:
    """Of LD_PRELOAD only the recorder is taken."""
    if not has_namespaces() and os.geteuid() != 0:
        return
    code = (
        "import os, sys; open('/dev/null').close(); os.chroot(sys.argv[1]); os.chdir('/'); "
        "os.execv('/bin/sh', ['sh', '-c', 'echo $LD_PRELOAD'])"
    )
    command = python(bench, code)
    other = str(Path(next((bench.directory / "root").rglob("libc.so*"))).with_name("libm.so.6"))
    there = "/" + str(Path(other).relative_to(bench.directory / "root"))
    shutil.copy(Path(there).resolve(), other)
    env = bench.environment(LD_PRELOAD=f"{there} {bench.library}:{there}")
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    equal((done.returncode, done.stdout, done.stderr), (0, f"{there}:{there}\n", ""), "exit code, output and errors")


def a_child_that_cannot_reach_the_segments_is_named(bench: Bench) -> None:
    """After chroot by its parent, or as another user."""
    if os.geteuid() != 0:
        return
    code = "import os; open('/dev/null').close(); {}\nif os.fork() == 0:\n open('{}').close(); os._exit(0)\nos.wait()"
    for change, file in (("os.chroot('/proc')", "/self/comm"), ("os.seteuid(65534)", "/dev/null")):
        shutil.rmtree(bench.segments, ignore_errors=True)
        _, started = both(bench, [PYTHON, "-c", code.format(change, file)])
        equal([reason for _, reason in started], ["unreachable"], f"reasons after {change}")


def rights_given_up_before_the_first_call_do_not_hide_the_rest(bench: Bench) -> None:
    """The recording begins just before, in a forked child and in a program that did nothing else."""
    if os.geteuid() != 0:
        return
    for way in ("setuid", "setresuid", "chroot", "number"):
        shutil.rmtree(bench.segments, ignore_errors=True)
        done = bench.run("rights", "first", way, "3")
        equal((done.returncode, done.stdout, done.stderr), (0, "8 bytes\n" * 3, ""), f"output after {way}")
        (segment,) = bench.read()
        equal([call.done for call in segment.calls if call.function == "write"], [8] * 3, f"writes after {way}")
        shutil.rmtree(bench.segments)
        done = bench.run("rights", "fork", way, "3", str(bench.file))
        equal(done.returncode, 0, f"exit code after fork and {way}")
        segments = {s.header["pid"]: s for s in bench.read()}
        child = segments.pop(int(done.stdout))
        equal([call.done for call in child.calls if call.function == "write"], [8] * 3, f"writes after fork and {way}")
        equal([s.header["unattached"][0] for s in segments.values()], [0], "children without a segment")


def a_user_who_stays_the_same_begins_no_recording(bench: Bench) -> None:
    """Programs without I/O would leave one of 400 KB."""
    equal(bench.run("rights", "first", "same", "0").returncode, 0, "exit code")
    equal(list(bench.segments.glob("*.seg")), [], "segments")
    equal(bench.run("rights", "first", "same", "3").stdout, "8 bytes\n" * 3, "output")
    (segment,) = bench.read()
    equal([call.done for call in segment.calls if call.function == "write"], [8] * 3, "writes")


def many_calls_after_rights_were_given_up_are_recorded_or_counted(bench: Bench) -> None:
    """Room for some ten thousand is taken before; counters have the rest."""
    if os.geteuid() != 0:
        return
    for settings in ({}, {"DIYA_MODE": "profile"}):
        shutil.rmtree(bench.segments, ignore_errors=True)
        done = bench.run("rights", "fork", "setuid", "100000", str(bench.file), env=bench.environment(**settings))
        child = next(s for s in bench.read() if s.header["pid"] == int(done.stdout))
        recorded = sum(call.function == "write" for call in child.calls)
        counted = sum(block["calls"][4] for block in child.counters)
        equal(recorded + counted, 100000, f"writes with {settings}")
        equal(recorded > 50000, not settings, f"recorded: {recorded}")
        equal({child.name(block["file"]) for block in child.counters}, {str(bench.file)}, "files of the counters")


def a_child_that_gives_up_its_rights_unseen_tells_its_parent(bench: Bench) -> None:
    """By an instruction of its own: its first call cannot make a segment any more."""
    if os.geteuid() != 0:
        return
    done = bench.run("rights", "fork", "raw", "3", str(bench.file))
    equal(done.returncode, 0, "exit code")
    (parent,) = bench.read()
    equal(parent.header["unattached"], (1, [(int(done.stdout), 65534)]), "children without a segment: process and user")
