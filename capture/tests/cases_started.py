"""Programs that a process starts: which, and what speaks against a recording."""

from __future__ import annotations

import os
import subprocess

from harness import HERE, Bench, equal

PYTHON = "/usr/bin/python3"


def started(bench: Bench, code: str, **settings: str) -> list[tuple[str, str]]:
    """Program and reason of all that a Python program starts."""
    done = subprocess.run(
        [PYTHON, "-c", code], env=bench.environment(**settings), capture_output=True, text=True, timeout=60
    )
    equal((done.returncode, done.stderr), (0, ""), "exit code and errors")
    found = []
    for segment in bench.read():
        left = {}
        for at, (pid, reason, program) in enumerate(segment.started):
            if reason == "failed":
                left.pop(pid, None)
            else:
                left[pid or -at] = (program.rsplit("/", 1)[-1], reason)
        found += left.values()
    return sorted(found)


def static_program(bench: Bench) -> str:
    path = bench.directory / "helper"
    subprocess.run(["cc", "-w", "-static", "-D_GNU_SOURCE", "-o", path, HERE / "witness.c"], check=True)
    return str(path)


def a_static_child_is_named(bench: Bench) -> None:
    """subprocess makes the child by vfork, which leaves no segment of its own."""
    helper = static_program(bench)
    code = f"import subprocess; subprocess.run([{helper!r}, {str(bench.file)!r}], check=True)"
    equal(started(bench, code), [("helper", "static")], "what was started")
    equal(len(bench.read()), 1, "segments")


def a_static_child_of_posix_spawn_and_of_a_script_is_named(bench: Bench) -> None:
    helper = static_program(bench)
    script = bench.directory / "script"
    script.write_text(f"#!{helper} /dev/null/no\n")
    script.chmod(0o755)
    code = (
        f"import os\nfor p in ({helper!r}, {str(script)!r}): os.posix_spawn(p, [p, '/dev/null/no'], os.environ)\n"
        "os.wait(), os.wait()"
    )
    equal(started(bench, code), [("helper", "static"), ("script", "static")], "what was started")


def by_number() -> list[str]:
    """syscall(SYS_wait4, ...) and syscall(SYS_waitid, ...), without room for a status."""
    wait4, waitid = {"x86_64": (61, 247), "aarch64": (260, 95)}[os.uname().machine]
    call = "import ctypes; ctypes.CDLL(None).syscall"
    return [f"{call}({wait4}, p, 0, 0, 0)", f"{call}({waitid}, os.P_PID, p, 0, os.WEXITED, 0)"]


def how_long_a_static_child_ran_is_known(bench: Bench) -> None:
    """By each function that waits."""
    helper = static_program(bench)
    waits = ["os.wait()", "os.waitpid(p, 0)", "os.wait3(0)", "os.wait4(p, 0)", "os.waitid(os.P_PID, p, os.WEXITED)"]
    waits += by_number()
    for at, wait in enumerate(waits):
        bench.segments = bench.directory / f"segments{at}"
        code = f"import os\np = os.posix_spawn({helper!r}, ['x', '/dev/null/no'], os.environ)\n{wait}"
        equal(started(bench, code), [("helper", "static")], "what was started")
        (times,) = [segment.program_times for segment in bench.read()]
        equal([moment for _, moment, _ in times], ["begins", "ended"], wait)
        equal(times[0][0], times[1][0], "process")
        equal(times[0][2] <= times[1][2], True, "the end follows the start")


def spans(segment) -> dict[int, list[tuple[str, int | None]]]:
    """Of each process what is noted about it, and the status of its end."""
    found = {}
    for pid, moment, _ in segment.program_times:
        status = segment.statuses.get(pid) if moment == "ended" else None
        found.setdefault(pid, []).append((moment, status))
    equal([t for _, _, t in segment.program_times], sorted(t for _, _, t in segment.program_times), "times in order")
    return found


def the_end_of_a_child_that_makes_no_call_is_known(bench: Bench) -> None:
    """It can be recorded and leaves no segment: what speaks of it is its parent."""
    for at, wait in enumerate(["os.waitpid(p, 0)", "os.waitid(os.P_PID, p, os.WEXITED)", *by_number()]):
        bench.segments = bench.directory / f"segments{at}"
        program = bench.programs / "silent"
        code = f"import os\np = os.posix_spawn({str(program)!r}, ['x', '7'], os.environ)\n{wait}"
        equal(started(bench, code), [("silent", "recordable")], "what was started")
        (segment,) = bench.read()
        equal(list(spans(segment).values()), [[("begins", None), ("ended", 7 << 8)]], wait)


def a_child_that_was_killed_has_the_status_of_its_signal(bench: Bench) -> None:
    for at, wait in enumerate(("os.waitpid(p, 0)", "os.waitid(os.P_PID, p, os.WEXITED)")):
        bench.segments = bench.directory / f"segments{at}"
        code = f"import os\np = os.posix_spawn('/bin/sleep', ['sleep', '60'], {{}})\nos.kill(p, 15)\n{wait}"
        equal(started(bench, code), [("sleep", "environment")], "what was started")
        (segment,) = bench.read()
        equal(list(spans(segment).values()), [[("begins", None), ("ended", 15)]], wait)


def another_thread_may_wait(bench: Bench) -> None:
    """One that has made no call: Python's own threads begin with none."""
    code = """
import os, threading
p = os.posix_spawn('/bin/true', ['true'], {})
t = threading.Thread(target=os.waitpid, args=(p, 0)); t.start(); t.join()
"""
    equal(started(bench, code), [("true", "environment")], "what was started")
    (segment,) = bench.read()
    equal(list(spans(segment).values()), [[("begins", None), ("ended", 0)]], "the child")


def shells_of_system_and_popen_have_a_start_and_an_end(bench: Bench) -> None:
    """Under a number of their own, with the status that the program got."""
    library = (
        "import ctypes; c = ctypes.CDLL(None); c.popen.restype = ctypes.c_void_p; "
        "c.pclose.argtypes = c.fclose.argtypes = [ctypes.c_void_p]\n"
    )
    ways = {
        "c.system(b'exit 3')": 3 << 8,
        "c.system(b'kill -9 $$')": 9,
        "c.pclose(c.popen(b'exit 4', b'r'))": 4 << 8,
        "c.fclose(c.popen(b'exit 5', b'r'))": 5 << 8,
    }
    code = library + "\n".join(ways)
    equal(started(bench, code), [], "what was started: shells that can be recorded")
    python = next(segment for segment in bench.read() if len(segment.program_times) > 1)
    wanted = [[("begins", None), ("ended", status)] for status in ways.values()]
    equal(list(spans(python).values()), wanted, "shells")
    equal([pid >= 1 << 31 for pid in spans(python)], [True] * 4, "numbers that no process has")


def a_cleaned_environment_is_named(bench: Bench) -> None:
    code = "import subprocess; subprocess.run(['/bin/ls', '/'], env={}, stdout=subprocess.DEVNULL)"
    equal(started(bench, code), [("ls", "environment")], "what was started")


def env_i_is_named(bench: Bench) -> None:
    """env itself is recorded; what it becomes is not."""
    code = "import subprocess; subprocess.run(['env', '-i', '/bin/ls', '/'], stdout=subprocess.DEVNULL)"
    equal(started(bench, code), [("env", "recordable"), ("ls", "environment")], "what was started")


def the_shells_of_system_and_popen_are_named_only_where_they_cannot_be_recorded(bench: Bench) -> None:
    code = "import os; os.system('true'); os.environ.pop('LD_PRELOAD'); os.system('true')"
    equal(started(bench, code), [("sh", "environment")], "what was started")


def a_program_of_another_processor_is_named(bench: Bench) -> None:
    other = bench.directory / "other"
    other.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(100))
    other.chmod(0o755)
    code = f"import os\ntry: os.waitpid(os.posix_spawn({str(other)!r}, ['x'], os.environ), 0)\nexcept OSError: pass"
    equal(started(bench, code), [], "what was started: the kernel refused")
    pid_code = (
        f"import os\nif os.fork() == 0:\n try: os.execv({str(other)!r}, ['x'])\n except OSError: os._exit(0)\nos.wait()"
    )
    equal(started(bench, pid_code), [], "what was started: exec came back")
    reasons = [reason for segment in bench.read() for _, reason, _ in segment.started]
    equal(reasons, ["architecture", "failed"], "what the child wrote")


def a_program_skipped_on_purpose_is_named(bench: Bench) -> None:
    code = "import subprocess; subprocess.run(['/bin/ls', '/'], stdout=subprocess.DEVNULL)"
    equal(started(bench, code, DIYA_SKIP="ls"), [("ls", "skipped")], "what was started")


def exec_with_wild_pointers_fails_as_without_the_recorder(bench: Bench) -> None:
    code = """
import ctypes, errno, sys
libc = ctypes.CDLL(None, use_errno=True)
good = ctypes.create_string_buffer(b"/bin/true")
true = ctypes.addressof(good)
for path, arguments, environment in ((8, None, None), (true, 8, None), (true, None, 8)):
    libc.execve(ctypes.c_void_p(path), ctypes.c_void_p(arguments), ctypes.c_void_p(environment))
    if ctypes.get_errno() != errno.EFAULT: sys.exit(f"errno {ctypes.get_errno()}")
"""
    equal(started(bench, code), [], "what was started")
