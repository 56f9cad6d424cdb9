"""Programs with and without the library: their results must be the same.  cases.py LIBRARY FOLDER

FOLDER holds the compiled programs."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
LIBRARY, PROGRAMS = sys.argv[1], pathlib.Path(sys.argv[2])
NAMED = "write_buffer=65536;stream_buffer=65536"
failed: list[str] = []


def check(name: str, is_true: bool, why: object = "") -> None:
    print(f"{'ok    ' if is_true else 'FAILED'} {name}{'' if is_true else f': {why}'}")
    if not is_true:
        failed.append(name)


def settings(asked: str, told: pathlib.Path | None = None) -> dict[str, str]:
    if asked == "":
        return {}
    preload = LIBRARY if told is None else f"{LIBRARY}:{PROGRAMS / 'told.so'}"
    return {"LD_PRELOAD": preload, "DIYA_APPLY": asked} | ({} if told is None else {"TOLD": str(told)})


def run(command: list[str], folder: pathlib.Path, asked: str, told: pathlib.Path | None = None) -> tuple:
    """End, output and files."""
    inside = folder / "inside"
    shutil.rmtree(inside, ignore_errors=True)
    inside.mkdir()
    done = subprocess.run(command, cwd=inside, env=os.environ | settings(asked, told), capture_output=True, timeout=300)
    files = {str(path.relative_to(inside)): path.read_bytes() for path in inside.rglob("*") if path.is_file()}
    return done.returncode, done.stdout, files


def told_of(path: pathlib.Path) -> list[dict]:
    keys = ("setting", "value", "why", "path", "files", "asked", "issued", "bytes")
    if not path.exists():
        return []
    return [dict(zip(keys, line.split("\t"))) for line in path.read_text().splitlines()]


def same(
    name: str, command: list[str], ignored: tuple[str, ...] = (), asked_for: tuple[str, ...] = ("auto", NAMED)
) -> None:
    with tempfile.TemporaryDirectory() as given:
        folder = pathlib.Path(given)
        plain = run(command, folder, "")
        for asked in asked_for:
            applied = run(command, folder, asked)
            files = {
                path
                for path in plain[2].keys() | applied[2].keys()
                if path not in ignored and plain[2].get(path) != applied[2].get(path)
            }
            check(
                f"{name} with {asked}", plain[:2] == applied[:2] and not files, (plain[:2], applied[:2], sorted(files))
            )


def programs() -> None:
    for name in (
        "killed",
        "actions",
        "writes_at_exit",
        "child_sees",
        "child_moves",
        "fork_in_stream",
        "forks_and_threads",
        "many",
        "syncs",
    ):
        same(name, [str(PROGRAMS / "programs"), name])
    for name in ("killed_by_parent", "writes_in_handler", "leaves_handler", "threads_share"):  # each run writes others
        same(name, [str(PROGRAMS / "programs"), name], ignored=("file",))
    same("a limit of file sizes", [str(PROGRAMS / "programs"), "limited"], asked_for=("auto",))
    same("/dev/full", [str(PROGRAMS / "programs"), "full", "/dev/full"])


def late_errors() -> None:
    with tempfile.TemporaryDirectory() as given:
        end, said, files = run([str(PROGRAMS / "programs"), "limited"], pathlib.Path(given), NAMED)
        check(
            "close tells that the limit was met",
            said.split() == [b"-1", b"0", b"-1"] and len(files["file"]) == 20000,
            said,
        )
    mounted = pathlib.Path(tempfile.mkdtemp())
    if (
        os.geteuid() != 0
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", mounted], capture_output=True).returncode
        != 0
    ):
        print("skipped: a full file system needs the right to mount one")
        mounted.rmdir()
        return
    program = [str(PROGRAMS / "programs"), "full", str(mounted / "file")]
    plain = subprocess.run(program, capture_output=True, text=True).stdout
    auto = subprocess.run(program, env=os.environ | settings("auto"), capture_output=True, text=True).stdout
    named = subprocess.run(program, env=os.environ | settings(NAMED), capture_output=True, text=True).stdout
    size = (mounted / "file").stat().st_size
    subprocess.run(["umount", mounted], check=True)
    mounted.rmdir()
    check("a full file system with auto", plain == auto, (plain, auto))
    check("a full file system with a rule", named.split()[1] == "28" and size == 1 << 20, (named, size))


def accounts() -> None:
    with tempfile.TemporaryDirectory() as given:
        folder = pathlib.Path(given)
        told = folder / "told"
        run([str(PROGRAMS / "bench"), "small", "."], folder, "auto", told)
        one = [line for line in told_of(told) if line["setting"] == "write_buffer"]
        gathered = (
            one and one[0]["value"] == "1048576" and int(one[0]["asked"]) > 999_000 and int(one[0]["issued"]) < 120
        )
        check("a million small writes are told as 96 large ones", bool(gathered), one)
        told.unlink()
        run([str(PROGRAMS / "programs"), "syncs"], folder, "no_fsync=on;read_ahead=random@*/x", told)
        lines = told_of(told)
        check("no_fsync is told", [line["asked"] for line in lines if line["setting"] == "no_fsync"] == ["2"], lines)
        check(
            "a pattern that fits no file does nothing",
            not [line for line in lines if line["setting"] == "read_ahead"],
            lines,
        )
        told.unlink()
        run([str(PROGRAMS / "programs"), "syncs"], folder, "write_buffer=4096", told)
        lines = told_of(told)
        check("O_SYNC is refused", any(line["why"].startswith("O_SYNC") for line in lines), lines)
        told.unlink(missing_ok=True)
        run(["sh", "-c", "exec cat /proc/self/status >copy"], folder, "read_ahead=sequential@*/copy", told)
        run(
            [sys.executable, "-c", "open('own','w').write('a'); open('own').read()"],
            folder,
            "read_ahead=random@*/own",
            told,
        )
        lines = [line for line in told_of(told) if line["setting"] == "read_ahead"]
        check("read_ahead is told", len(lines) == 1 and lines[0]["value"] == "random", lines)


def ceases() -> None:
    """What gains nothing is given up, with a rule by name as well."""
    turns = (
        "import os; fd = os.open('f', os.O_RDWR | os.O_CREAT | os.O_TRUNC); "
        "[(os.pwrite(fd, b'x' * 100, i * 100), os.pread(fd, 1, 0)) for i in range(2000)]"
    )
    streams = 'BEGIN { for (i = 0; i < 500; i++) { name = "f" i; print "a line" >name; close(name) } }'
    with tempfile.TemporaryDirectory() as given:
        folder = pathlib.Path(given)
        told = folder / "told"
        run([sys.executable, "-c", turns], folder, "write_buffer=65536@*/f", told)
        lines = [line for line in told_of(told) if line["setting"] == "write_buffer"]
        asked = sum(int(line["asked"]) for line in lines)
        check(
            "a file that is read after each write is given up",
            0 < asked < 100 and any(line["why"] for line in lines),
            lines,
        )
        told.unlink()
        run(["mawk", streams], folder, "auto", told)
        files = [int(line["files"]) for line in told_of(told) if line["setting"] == "stream_buffer" and not line["why"]]
        check("streams of one line are given up", bool(files) and files[0] < 100, files)


def whole_programs() -> None:
    same("Python", [sys.executable, str(HERE / "script.py")], ignored=("d", "h"))
    dd = "seq 20000 >in; dd if=in of=out bs=1 2>/dev/null; dd if=in of=out2 bs=7 seek=3 2>/dev/null; cksum <out2"
    same("dd of single bytes", ["sh", "-c", dd])
    make = "mkdir a; for i in 1 2 3; do seq 1000 >a/$i; done; touch -d 2001-01-01 a/*; "
    tar = make + "tar cf b.tar a; mkdir c; tar xf b.tar -C c; ls -l --full-time c/a | cut -d' ' -f5-; tar tf b.tar"
    same("tar", ["sh", "-c", tar], ignored=("b.tar",))
    rows = 'for i in $(seq 300); do echo "insert into a values($i);"; done'
    base = f"(echo 'create table a(b);'; {rows}; echo 'select sum(b) from a;') | sqlite3 base"
    same("sqlite3", ["sh", "-c", base])
    identity = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=a"
    git = (
        "export GIT_COMMITTER_DATE='1700000000 +0000' GIT_AUTHOR_DATE='1700000000 +0000'; "
        f"{identity} init -q .; seq 5000 >a; git add a; {identity} commit -qm a; "
        f"seq 2 5000 >a; {identity} commit -qam b; "
        "git gc -q; git fsck; git log --oneline; git checkout -q HEAD~; cksum <a"
    )
    same("git", ["sh", "-c", git], ignored=(".git/index",))  # holds times and inodes
    perl = (
        "open(F,'>','a');for(1..3000){syswrite(F,\"line $_\\n\")}; print -s 'a'; open(G,'>','b'); $|=1; "
        "for(1..3000){print G \"line $_\\n\"} print `cksum <a`; syswrite(F,'end');"
    )
    same("perl", ["perl", "-e", perl])
    shell = (
        "exec 3>a; for i in $(seq 300); do echo $i >&3; done; wc -c <a; "
        "for i in $(seq 300); do echo $i; done >b; cat a b | cksum"
    )
    same("a shell", ["sh", "-c", shell])
    if shutil.which("gcc"):
        same("gcc", ["sh", "-c", "printf 'int main(void){return 3;}' >a.c && gcc -o a a.c && ./a"], ignored=("a",))
    if shutil.which("g++"):
        source = HERE / "streams.cpp"
        same("C++ streams", ["sh", "-c", f"g++ -O1 -o a {source} && ./a"], ignored=("a",))


for part in (programs, late_errors, accounts, ceases, whole_programs):
    part()
print(f"cases: {len(failed)} failed")
sys.exit(bool(failed))
