"""What the kernel counted, and what files hold."""

from __future__ import annotations

import struct
import subprocess
import sys

from harness import Bench, equal

MIB = 1 << 20
# After the fields of the header: two of `struct diya_witness`.
WITNESS_AT, WITNESS = 6736, struct.Struct("<20Q")


def witnesses(bench: Bench) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """First and last reading of the only process."""
    data = next(bench.segments.glob("*.seg")).read_bytes()
    return WITNESS.unpack_from(data, WITNESS_AT), WITNESS.unpack_from(data, WITNESS_AT + WITNESS.size)


def the_kernel_counts_what_no_hook_sees(bench: Bench) -> None:
    equal(bench.run("witness", str(bench.file)).returncode, 0, "exit code")
    equal(sum(call.done for call in bench.writes()), 2 * MIB, "recorded bytes")
    first, last = witnesses(bench)
    equal((first[0], last[0]), (3, 3), "what is known")
    equal(last[2] - first[2], 5 * MIB, "bytes written, as the kernel counts")
    equal(last[4] - first[4], 5, "calls that write")
    own = last[7] - first[7]
    equal(last[3] - first[3] - own, 0, "calls that read, but for the recorder's own")


def a_process_without_proc_has_no_witness(bench: Bench) -> None:
    code = f"import os; os.close(os.open({str(bench.file)!r}, os.O_CREAT | os.O_WRONLY))"
    hidden = [
        "unshare",
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        'mount -t tmpfs none /proc && exec "$@"',
        "sh",
        sys.executable,
        "-c",
        code,
    ]
    if subprocess.run([*hidden[:-3], "true"], capture_output=True).returncode != 0:
        print("    not tried: no user namespaces here")
        return
    done = subprocess.run(hidden, env=bench.environment(), capture_output=True, timeout=60)
    equal(done.returncode, 0, "exit code")
    inside = [s.path for s in bench.read() if any(call.path == str(bench.file) for call in s.calls)]
    equal(len(inside), 1, "processes that opened the file")
    known = WITNESS.unpack_from(inside[0].read_bytes(), WITNESS_AT + WITNESS.size)[0]
    equal(known, 2, "what is known: processor time and faults, not bytes")


def the_recorder_times_its_own_work(bench: Bench) -> None:
    calls = 100_000
    code = (
        "import os, sys; fd = os.open(sys.argv[1], os.O_CREAT | os.O_RDONLY)\n"
        f"for _ in range({calls}): os.pread(fd, 1, 0)"
    )
    subprocess.run([sys.executable, "-c", code, bench.file], env=bench.environment(), check=True, timeout=60)
    _, last = witnesses(bench)
    timed_calls, timed_ticks, user_and_system_ns = last[17], last[18], last[11] + last[12]
    if not calls / 2048 <= timed_calls <= calls / 128:
        raise AssertionError(f"timed: {timed_calls} of {calls} calls, not about one of 512")
    # A tick is a nanosecond or a part of it; all of the process is an upper bound.
    each = timed_ticks / timed_calls
    if not 0 < each * calls < 4 * user_and_system_ns:
        raise AssertionError(f"own work of {each:.0f} ticks a call, in a process of {user_and_system_ns} ns")


def the_kind_of_contents_is_noted(bench: Bench) -> None:
    table = "".join(f"{i} {i * 0.37:.12e}\n" for i in range(200))
    files = {"numbers": table.encode(), "text": b"a line of a log\n" * 20, "binary": bytes(range(256)) * 4}
    code = "import sys; open(sys.argv[1], 'wb', buffering=0).write(sys.stdin.buffer.read())"
    for kind, data in files.items():
        path = bench.directory / kind
        command = [sys.executable, "-c", code, path]
        subprocess.run(command, input=data, env=bench.environment(), check=True, timeout=60)
    found = {}
    for segment in bench.read():
        for file, key, value in segment.attributes:
            if key == "posix:content" and segment.name(file).startswith(str(bench.directory)):
                found[segment.name(file).rsplit("/", 1)[-1]] = value
    equal(found, {kind: kind for kind in files}, "contents")
