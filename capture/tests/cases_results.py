"""What the program sees, and what every call leaves."""

from __future__ import annotations

import shutil
import subprocess
import sys

from harness import HERE, Bench, equal

# --- what the program sees ---------------------------------------------------------------------------


def results_and_errno_are_unchanged(bench: Bench) -> None:
    env = bench.environment()
    with_recorder = bench.run("results", str(bench.file), env=env)
    traced_stacks = bench.run("results", str(bench.file), env=env | {"DIYA_STACKS": "1"})
    del env["LD_PRELOAD"]
    without = bench.run("results", str(bench.file), env=env)
    equal(with_recorder.stdout, without.stdout, "results")
    equal(traced_stacks.stdout, without.stdout, "results with stacks")
    equal(with_recorder.returncode, without.returncode, "exit code")


# What breadth.c does, in order: function, file, offset, requested, done.
BREADTH = """
chdir . -1 0 0
mkdir x -1 0 0
open data -1 0 0
write data 0 1000 1000
writev data 1000 150 150
pwritev data 3000 150 150
preadv data 3000 150 150
preadv2 data 1150 150 150
lseek data 10 0 0
readv data 10 150 150
dup data -1 0 0
read data 160 40 40
read data 200 5 5
openat other -1 0 0
sendfile_read data 500 300 300
sendfile_write other 0 300 300
copy_file_range_read data 0 200 200
copy_file_range_write other 300 200 200
dprintf other 500 6 6
fsync data -1 0 0
fdatasync other -1 0 0
ftruncate other 100 0 0
truncate other 90 0 0
posix_fallocate data 0 8192 8192
posix_fadvise data -1 0 0
flock data -1 0 0
fcntl data -1 0 0
write data 8192 7 7
mmap data 0 8192 8192
msync data -1 8192 8192
munmap data -1 8192 8192
aio_read other 20 60 60
aio_suspend - -1 0 0
aio_return_read other 20 60 60
close data -1 0 0
close other -1 0 0
close data -1 0 0
mkdir dir -1 0 0
rename data>dir/renamed -1 0 0
link dir/renamed>hard -1 0 0
symlink soft -1 0 0
readlink soft -1 0 0
stat hard -1 0 0
lstat soft -1 0 0
access hard -1 0 0
statvfs . -1 0 0
open dir -1 0 0
fstatat dir/renamed -1 0 0
faccessat dir/missing -1 0 -2
close dir -1 0 0
opendir dir -1 0 0
readdir dir -1 0 0
readdir dir -1 0 0
readdir dir -1 0 0
readdir dir -1 0 0
closedir dir -1 0 0
chmod hard -1 0 0
chdir dir -1 0 0
unlink dir/renamed -1 0 0
chdir . -1 0 0
rmdir dir -1 0 0
mkstemp temp -1 0 0
write temp 0 10 10
close temp -1 0 0
unlink temp -1 0 0
fopen stream -1 0 0
printf stream 0 3 3
fputs stream 3 12 12
fwrite stream 15 100 100
fflush stream -1 0 0
rewind stream 0 0 0
scanf stream 0 2 2
fgetc stream 2 1 1
ungetc stream -1 0 0
fgetc stream 2 1 1
getline stream 3 12 12
fseek stream 65 0 0
ftell stream -1 0 0
fread stream 65 100 50
fclose stream -1 0 0
fopen stream -1 0 0
fputs stream 115 5 5
fclose stream -1 0 0
popen pipe -1 0 0
fputs pipe -1 9 9
pclose pipe -1 0 0
fopen wide -1 0 0
wprintf wide 0 7 7
fclose wide -1 0 0
"""


def every_family_is_recorded(bench: Bench) -> None:
    equal(bench.run("breadth", str(bench.directory)).returncode, 0, "exit code")

    def short(path: str) -> str:
        if path == str(bench.directory):
            return "."
        path = path.removeprefix(f"{bench.directory}/")
        return "temp" if path.startswith("temp") else "pipe" if path.startswith("pipe:") else path

    found = []
    first = min(bench.read(), key=lambda s: s.header["first_ticks"])
    for call in sorted(first.calls, key=lambda c: c.start):
        for _ in range(call.calls):
            to = f">{short(call.file2)}" if call.file2 else ""
            found.append(f"{call.function} {short(call.path)}{to} {call.offset} {call.requested} {call.done}")
    for got, wanted in zip(found, BREADTH.split("\n")[1:-1]):
        equal(got, wanted, "call")
    equal(len(found), len(BREADTH.split("\n")) - 2, "calls")


def constructors_before_ours_are_recorded(bench: Bench) -> None:
    library = bench.directory / "constructor.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, HERE / "constructor.c"], check=True)
    preload = f"{bench.library}:{library}"
    env = bench.environment(LD_PRELOAD=preload, EARLY_FILE=str(bench.file))
    equal(bench.run("endings", "return", str(bench.directory / "other"), "0", env=env).returncode, 44, "exit code")
    equal([c.requested for c in bench.writes()], [8], "writes")


def a_static_program_is_untouched(bench: Bench) -> None:
    program = bench.directory / "static"
    subprocess.run(["cc", "-w", "-static", "-o", program, HERE / "endings.c"], check=True)
    done = subprocess.run([program, "return", bench.file, "5"], env=bench.environment(), timeout=60)
    equal(done.returncode, 44, "exit code")
    equal(bench.segments.exists(), False, "segments")


def the_library_may_be_opened_and_closed(bench: Bench) -> None:
    code = (
        "import ctypes,_ctypes,os\n"
        f"library=ctypes.CDLL({bench.library!r})\n"
        "_ctypes.dlclose(library._handle)\n"
        f"os.close(os.open({str(bench.file)!r},os.O_CREAT|os.O_RDWR))\n"
    )
    env = bench.environment()
    equal(subprocess.run([sys.executable, "-c", code], env=env, timeout=60).returncode, 0, "preloaded")
    del env["LD_PRELOAD"]
    equal(subprocess.run([sys.executable, "-c", code], env=env, timeout=60).returncode, 0, "not preloaded")


def launchers_are_not_recorded(bench: Bench) -> None:
    shutil.copy(bench.programs / "endings", bench.directory / "mpiexec")
    done = subprocess.run([bench.directory / "mpiexec", "return", bench.file, "5"], env=bench.environment())
    equal(done.returncode, 44, "exit code")
    env = bench.environment(DIYA_SKIP="some:endings")
    equal(bench.run("endings", "return", str(bench.file), "5", env=env).returncode, 44, "exit code")
    equal(list(bench.segments.glob("*")) if bench.segments.exists() else [], [], "segments")


def streams_follow_their_descriptor(bench: Bench) -> None:
    program = bench.directory / "redirect"
    subprocess.run(["cc", "-w", "-D_GNU_SOURCE", "-o", program, HERE / "redirect.c"], check=True)
    done = subprocess.run(
        [program, bench.directory], env=bench.environment(), capture_output=True, text=True, timeout=60
    )
    equal((done.returncode, done.stdout), (0, "first\nlast\n"), "exit code and output")
    first, offsets = {}, {}
    for call in sorted(bench.read()[0].calls, key=lambda call: call.start):
        if call.layer == "stdio" and call.op == "write":
            name = call.path.rsplit("/", 1)[-1] if call.path.startswith(str(bench.directory)) else "pipe"
            first.setdefault(name, call.offset)
            offsets[name] = offsets.get(name, 0) + call.done
    equal(offsets, {"pipe": 11, "a": 405, "b": 100, "c": 18, "d": 5, "e": 3}, "bytes by file")
    equal({name: first[name] for name in "abcde"}, dict.fromkeys("abcde", 0), "first offsets")
    appended = [c.offset for c in bench.read()[0].calls if c.function == "puts" and c.path.endswith("/a")]
    equal(appended, [400], "offset of what is appended")
    closed = [call.path.rsplit("/", 1)[-1] for call in bench.read()[0].calls if call.function == "fclose"]
    equal(closed, ["e"], "file that fclose closed")


def what_inlined_putc_writes_is_counted(bench: Bench) -> None:
    """It calls nothing: the next call of its stream shows it."""
    program, printed = bench.directory / "inlined", bench.directory / "printed"
    subprocess.run(["cc", "-w", "-D_GNU_SOURCE", "-o", program, HERE / "inlined.c"], check=True)
    with open(printed, "w") as file:
        subprocess.run([program, bench.file], env=bench.environment(), stdout=file, check=True, timeout=60)
    equal((bench.file.stat().st_size, printed.stat().st_size), (8000, 50), "sizes of the files")
    written: dict = {}
    for call in bench.read()[0].calls:
        if call.op == "write":
            name = call.function, call.path.rsplit("/", 1)[-1]
            written[name] = written.get(name, 0) + call.done
    equal(written, {("fwrite", "file"): 7000, ("fputc", "file"): 1002, ("fputc", "printed"): 50}, "bytes written")
    last = max(call.offset + call.done for call in bench.read()[0].calls if call.function == "fwrite")
    equal(last, 7999, "end of the last fwrite")


def a_directory_is_opened_once(bench: Bench) -> None:
    program = bench.directory / "redirect"
    subprocess.run(["cc", "-w", "-D_GNU_SOURCE", "-o", program, HERE / "redirect.c"], check=True)
    subprocess.run([program, bench.directory], env=bench.environment(), capture_output=True, timeout=60)
    calls = [c for c in bench.read()[0].calls if c.path == str(bench.directory) and c.op in ("open", "close")]
    equal([c.op for c in calls], ["open", "close"], "opens and closes")


def lines_of_one_function_have_stacks_of_their_own(bench: Bench) -> None:
    """Frames of equal size: only the outer return addresses differ."""
    program = bench.directory / "paths"
    subprocess.run(["cc", "-w", "-O1", "-D_GNU_SOURCE", "-o", program, HERE / "paths.c"], check=True)
    subprocess.run([program, bench.file], env=bench.environment(DIYA_STACKS="1"), check=True, timeout=60)
    times: dict[int, int] = {}
    for call in bench.read()[0].calls:
        if call.function == "write":
            times[call.stack] = times.get(call.stack, 0) + call.calls
    equal(sorted(times.values()), [1, 100, 100], "writes of each line")


def stacks_lead_to_the_program(bench: Bench) -> None:
    bench.run("endings", "return", str(bench.file), "100", env=bench.environment(DIYA_STACKS="1"))
    read = bench.read()[0]
    stacks = {c.stack for c in read.calls if c.function == "write"}
    equal(len(stacks), 1, "stacks of one call site")
    address = read.stacks[stacks.pop()][0]
    inside = [path for base, end, _, _, path in read.modules if base <= address < end]
    equal(inside, [str(bench.programs / "endings")], "module of the call site")


def regular_calls_take_few_bytes(bench: Bench) -> None:
    bench.run("endings", "return", str(bench.file), "30000")
    read = bench.read()[0]
    if read.record_bytes / sum(c.calls for c in read.calls) > 8:
        raise AssertionError(f"{read.record_bytes} bytes")
