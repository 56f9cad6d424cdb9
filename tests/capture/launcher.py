#!/usr/bin/env python3
"""`diya run` as its users meet it: exit codes, signals, kills, odd programs.

Each case runs a real program under the launcher and looks at what came of it.
"""

import argparse
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIYA = Path()
WORK = Path()
CALLS = 100_000
MPI_RUN = {"mpich": ["mpirun.mpich"], "openmpi": ["mpirun.openmpi", "--oversubscribe"]}


def compiled(source: str, *flags: str, compiler: str = "cc") -> Path:
    """A test program, built into the work folder."""
    name = "-".join([Path(source).stem, compiler, *[flag.strip("-") for flag in flags]])
    program = WORK / name.replace(".", "_")
    if not program.exists():
        subprocess.run([compiler, "-g", "-O2", *flags, "-o", program, HERE / source, "-lpthread"], check=True)
    return program


def may_make_nodes() -> bool:
    node = ["unshare", "--uts", "--mount", "sh", "-c", "hostname node0 && mount -t tmpfs none /dev/shm"]
    return shutil.which("unshare") is not None and subprocess.run(node, capture_output=True).returncode == 0


def only_where(is_possible: bool, why: str) -> Callable[[Callable], Callable]:
    """Skips a test where it cannot run; in CI nothing is skipped."""
    return unittest.skipUnless(is_possible or os.environ.get("CI") == "true", why)


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = WORK / self.id().rsplit(".", 1)[-1]
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.log = self.folder / "run.diya"

    def run_diya(self, *command: object, options: tuple = (), **more: object) -> subprocess.CompletedProcess:
        line = [DIYA, "run", "--no-verdict", "-o", self.log, *options, "--", *map(str, command)]
        return subprocess.run(line, capture_output=True, text=True, timeout=120, cwd=self.folder, **more)

    def ask(self, query: str, log: Path | None = None) -> list[dict]:
        done = subprocess.run(
            [DIYA, "sql", "--json", "-q", log or self.log, query], capture_output=True, text=True, timeout=60
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        answer = json.loads(done.stdout)
        return answer["rows"] if isinstance(answer, dict) else answer

    def writes(self, name: str, log: Path | None = None) -> list[tuple]:
        """(rank, calls, bytes) of the writes to files of this name."""
        rows = self.ask(
            "select rank, sum(calls) as calls, sum(size_bytes) as bytes from call "
            "join file on call.file_id = file.file_id "
            f"where op = 'write' and path like '%{name}%' group by rank order by rank",
            log,
        )
        return [(row["rank"], row["calls"], row["bytes"]) for row in rows]

    def assert_all_but_the_last(self, name: str) -> None:
        """A kill may hit between the kernel's work and the return to the program."""
        (row,) = self.writes(name)
        self.assertIn((self.folder / name).stat().st_size - row[2], (0, 8))


class Endings(Case):
    def test_exit_code_is_the_programs(self) -> None:
        self.assertEqual(self.run_diya("sh", "-c", "echo out; echo err >&2; exit 7").returncode, 7)

    def test_output_is_the_programs(self) -> None:
        done = self.run_diya("sh", "-c", "cat; echo err >&2", input="hello\n", options=("-q",))
        self.assertEqual((done.stdout, done.stderr), ("hello\n", "err\n"))

    def test_a_program_that_is_not_there_is_127(self) -> None:
        done = self.run_diya("/no/such/program")
        self.assertEqual(done.returncode, 127)
        self.assertFalse(self.log.exists())

    def test_a_signal_that_ends_the_program_ends_the_launcher(self) -> None:
        self.assertEqual(self.run_diya("sh", "-c", "kill -SEGV $$").returncode, -signal.SIGSEGV)

    def test_an_ignored_signal_stays_ignored(self) -> None:
        """As after nohup; a hangup would end the program otherwise."""
        script = f"trap '' HUP; {DIYA} run -q -o {self.log} -- sh -c 'kill -HUP $$; exit 3'"
        self.assertEqual(subprocess.run(["sh", "-c", script]).returncode, 3)

    def test_a_time_limit_reaches_the_program_and_the_log_is_made(self) -> None:
        program = compiled("writer.c")
        line = [DIYA, "run", "-q", "-o", self.log, "--", program, "forever", self.folder / "limit.out"]
        with subprocess.Popen(line, cwd=self.folder) as running:
            while not (self.folder / "limit.out").exists():
                time.sleep(0.01)
            time.sleep(0.3)
            running.send_signal(signal.SIGTERM)
            self.assertEqual(running.wait(timeout=60), -signal.SIGTERM)
        self.assert_all_but_the_last("limit.out")

    def test_an_existing_log_is_not_replaced(self) -> None:
        self.log.write_text("precious")
        self.assertEqual(self.run_diya("true").returncode, 4)
        self.assertEqual(self.log.read_text(), "precious")


class Refusals(Case):
    """What can be known before the program starts is said before."""

    def test_an_unknown_option_is_no_command(self) -> None:
        done = subprocess.run([DIYA, "run", "--bogus", "true"], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--bogus", done.stderr)

    def test_a_command_after_two_dashes_may_begin_with_one(self) -> None:
        self.assertEqual(self.run_diya("-no-such-program").returncode, 127)

    def test_a_log_that_cannot_be_written_stops_the_program_from_starting(self) -> None:
        for log in (self.folder / "no" / "where.diya", self.folder):
            line = [DIYA, "run", "--force", "-o", log, "--", "touch", self.folder / "started"]
            done = subprocess.run(line, capture_output=True, text=True, cwd=self.folder)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertFalse((self.folder / "started").exists())

    def test_a_log_that_cannot_be_written_later_leaves_the_recording(self) -> None:
        home = self.folder / "home"
        home.mkdir()
        line = [DIYA, "run", "-o", home / "run.diya", "--", "sh", "-c", f"cat /etc/hostname; rmdir {home}"]
        done = subprocess.run(line, capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 4, done.stderr)
        (kept,) = [word for word in done.stderr.split() if Path(word).name.startswith("diya-")]
        subprocess.run([DIYA, "collect", "-q", "--remove", kept, "-o", self.log], check=True, timeout=60)
        self.assertFalse(Path(kept).exists())

    @only_where(may_make_nodes(), "a /dev/shm of its own is not permitted here")
    def test_a_full_dev_shm_is_said_and_the_next_folder_taken(self) -> None:
        script = (
            "mount -t tmpfs -o size=64k none /dev/shm; head -c 100k /dev/zero > /dev/shm/full; "
            f"{DIYA} run -o {self.log} -- cp /etc/hostname copy"
        )
        done = subprocess.run(
            ["unshare", "--uts", "--mount", "sh", "-c", script], capture_output=True, text=True, cwd=self.folder
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("/dev/shm", done.stderr)
        self.assertEqual(len(self.writes("/copy")), 1)

    @only_where(os.geteuid() == 0 and shutil.which("setpriv"), "only root drops privileges")
    def test_a_program_that_drops_privileges_sees_no_difference(self) -> None:
        drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "cat", "/etc/passwd"]
        done = self.run_diya("sh", "-c", shlex.join(drop), options=("-q",))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, Path("/etc/passwd").read_text(), ""))

    def test_a_program_with_the_address_sanitizer_starts(self) -> None:
        program = compiled("writer.c", "-fsanitize=address")
        self.assertEqual(self.run_diya(program, "exit", self.folder / "asan.out", 100).returncode, 0)
        self.assertEqual(self.writes("asan.out"), [(0, 100, 800)])


class Kills(Case):
    def killed(self, how: str) -> None:
        program = compiled("writer.c")
        self.run_diya(program, how, self.folder / "killed.out", CALLS)
        self.assertEqual(self.writes("killed.out"), [(0, CALLS, 8 * CALLS)])

    def test_every_call_before_sigkill_is_there(self) -> None:
        self.killed("kill")

    def test_every_call_before_abort_is_there(self) -> None:
        self.killed("abort")

    def test_every_call_before__exit_is_there(self) -> None:
        self.killed("_exit")

    def mpi_killed(self, mpi: str) -> None:
        program = compiled("mpi_writer.c", compiler=f"mpicc.{mpi}")
        done = self.run_diya(*MPI_RUN[mpi], "-n", 4, program, self.folder / "killed.out", CALLS)
        self.assertTrue(self.log.exists(), done.stderr)
        self.assertEqual(self.writes("killed.out"), [(rank, CALLS, 8 * CALLS) for rank in range(4)])
        kinds = [row["kind"] for row in self.ask("select kind from read_issue")]
        self.assertEqual(kinds.count("unfinished"), 4)

    def test_four_killed_ranks_of_mpich(self) -> None:
        self.mpi_killed("mpich")

    def test_four_killed_ranks_of_open_mpi(self) -> None:
        self.mpi_killed("openmpi")

    def test_a_killed_launcher_leaves_what_collect_finds(self) -> None:
        program = compiled("writer.c")
        segments = self.folder / "segments"
        segments.mkdir()
        line = [DIYA, "run", "-o", self.log, "--segments", segments, "--", program, "forever", "salvage.out"]
        with subprocess.Popen(line, cwd=self.folder, start_new_session=True) as running:
            while not (self.folder / "salvage.out").exists():
                time.sleep(0.01)
            time.sleep(0.3)
            os.killpg(running.pid, signal.SIGKILL)
        self.assertFalse(self.log.exists())
        (left,) = segments.iterdir()
        subprocess.run([DIYA, "collect", left, "-q", "-o", self.log], check=True, timeout=60)
        self.assert_all_but_the_last("salvage.out")
        (job,) = self.ask("select command_line from job")
        self.assertIn("forever", job["command_line"])


class Limits(Case):
    def test_calls_after_the_limit_are_counted(self) -> None:
        program = compiled("writer.c")
        done = self.run_diya(program, "exit", self.folder / "cap.out", CALLS, options=("--max-trace", "128K"))
        self.assertIn("--max-trace", done.stderr)
        (row,) = self.ask("select sum(writes) as writes, sum(bytes_written) as bytes from posix")
        self.assertEqual((row["writes"], row["bytes"]), (CALLS, 8 * CALLS))
        (recorded,) = self.ask("select sum(calls) as n from call where op = 'write'")
        self.assertLess(recorded["n"], CALLS)
        kinds = {row["kind"] for row in self.ask("select kind from read_issue")}
        self.assertIn("counted_only", kinds)

    def test_a_profile_has_the_counters_of_the_trace(self) -> None:
        program = compiled("writer.c")
        query = (
            "select opens, writes, bytes_written, consec_writes, seq_writes, max_byte_written, size_write_0_100, "
            "access1_access, access1_count, rw_switches from posix join file on posix.file_id = file.file_id "
            "where path like '%both.out'"
        )
        rows = []
        for options in ((), ("--profile",)):
            self.log.unlink(missing_ok=True)
            self.run_diya(program, "exit", self.folder / "both.out", CALLS, options=options)
            rows.append(self.ask(query))
        self.assertEqual(rows[0], rows[1])
        (calls,) = self.ask("select count(*) as n from call")
        self.assertEqual(calls["n"], 0)

    def test_a_segment_folder_that_cannot_be_made_is_said(self) -> None:
        done = self.run_diya("true", options=("--segments", "/proc/nothing"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("--segments", done.stderr)

    def test_segments_are_private(self) -> None:
        segments = self.folder / "segments"
        segments.mkdir()
        self.run_diya("cat", "/etc/hostname", options=("--keep", "--segments", segments))
        (folder,) = segments.iterdir()
        self.assertEqual(folder.stat().st_mode & 0o777, 0o700)
        files = list(folder.glob("*.seg"))
        self.assertTrue(files)
        self.assertEqual({file.stat().st_mode & 0o777 for file in files}, {0o600})


class Programs(Case):
    def test_a_static_program_is_named_and_traced(self) -> None:
        program = compiled("writer.c", "-static")
        for tracer in ((), ("--tracer", "ptrace"), ("--tracer", "preload")):
            done = self.run_diya(program, "exit", self.folder / "static.out", 100, options=("--force", *tracer))
            said = ["ptrace records it" in done.stderr, "--tracer ptrace" in done.stderr]
            self.assertEqual(said, [not tracer, "preload" in tracer], done.stderr)
            if "preload" not in tracer:
                self.assertEqual(self.writes("static.out"), [(0, 100, 800)])

    def test_a_static_child_is_a_row(self) -> None:
        program = compiled("writer.c", "-static")
        child = f"import subprocess; subprocess.run([{str(program)!r}, 'exit', 'child.out', '10'])"
        done = self.run_diya(sys.executable, "-c", child)
        self.assertIn(f"1 program left no recording: {program.name} (statically linked)", done.stderr)
        rows = self.ask("select base_name(program) as program, reason from unrecorded_process")
        self.assertEqual(rows, [{"program": program.name, "reason": "static"}])

    def test_a_process_that_outlives_the_command_is_named(self) -> None:
        child = "import time; open('late', 'w').write('x'); time.sleep(5); open('later', 'w').write('xy')"
        (self.folder / "child.py").write_text(child)
        done = self.run_diya("sh", "-c", f"{sys.executable} child.py > /dev/null 2>&1 & sleep 1")
        issues = self.ask("select effect from read_issue where kind = 'missing_process'")
        self.assertIn("was still running when the log was written", issues[0]["effect"])
        again = next(line for line in done.stderr.splitlines() if "diya collect" in line).split("diya collect ")[1]
        folder = Path(again.split(" -o ")[0])
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        time.sleep(6)
        whole = self.folder / "whole.diya"
        subprocess.run([DIYA, "collect", folder, "-o", whole], check=True, capture_output=True, timeout=60)
        self.assertEqual([row[2] for row in self.writes("later", whole)], [2])

    def test_stacks_have_functions_and_lines(self) -> None:
        program = compiled("writer.c")
        self.run_diya(program, "exit", self.folder / "stack.out", 10, options=("--stacks",))
        rows = self.ask(
            "select distinct s.function, s.file, s.line from call c join stack_frame s on c.stack_id = s.stack_id "
            "where c.op = 'write' and s.depth = 0"
        )
        self.assertEqual([row["function"] for row in rows], ["save"])
        self.assertTrue(rows[0]["file"].endswith("writer.c"))
        source = (HERE / "writer.c").read_text().splitlines()
        self.assertIn("write(", source[rows[0]["line"] - 1])

    def test_a_python_script_is_named_with_its_line(self) -> None:
        script = self.folder / "small.py"
        script.write_text(
            "def save(f):\n    f.write(b'x' * 64)\nwith open('py.out', 'wb', buffering=0) as f:\n    save(f)\n"
        )
        self.run_diya(sys.executable, script, options=("--stacks",))
        rows = self.ask(
            "select s.function, s.file, s.line, s.language from call c join stack_frame s on c.stack_id = s.stack_id "
            "join file f on c.file_id = f.file_id where c.op = 'write' and s.depth = 0 and f.path like '%py.out'"
        )
        self.assertEqual([(r["function"], r["line"], r["language"]) for r in rows], [("save", 2, "python")])

    def test_a_shell_in_front_of_mpirun_takes_nothing_from_the_report(self) -> None:
        """Launchers are not recorded, on purpose, and what they start is."""
        script = (
            "import os; f = os.open('out', os.O_WRONLY | os.O_CREAT); [os.write(f, b'x' * 64) for _ in range(300_000)]"
        )
        self.run_diya(
            "sh", "-c", f"{shlex.join(MPI_RUN['mpich'])} -n 1 {shlex.join([sys.executable, '-c', script])}; true"
        )
        done = subprocess.run(
            [DIYA, "report", "-q", "--format", "json", self.log], capture_output=True, text=True, timeout=60
        )
        report = json.loads(done.stdout)
        self.assertEqual((report["verdict"]["not_captured"], report["verdict"]["confidence"]), ([], "high"))
        found = {finding["id"] for finding in report["findings"]}
        self.assertIn("posix/small-requests", found)
        self.assertFalse({name for name in found if "rank" in name}, "processes that follow one another are no ranks")

    def test_a_pipeline_of_programs_is_one_log(self) -> None:
        self.run_diya("sh", "-c", "head -c 100000 /dev/zero > a; cp a b; cat a b | gzip > c.gz")
        names = {Path(row["exe"]).name for row in self.ask("select exe from process")}
        self.assertLessEqual({"head", "cp", "cat", "gzip"}, names)
        size = (self.folder / "c.gz").stat().st_size
        self.assertEqual(sum(row[2] for row in self.writes("c.gz")), size)


class Batch(Case):
    def test_the_environment_of_a_batch_script(self) -> None:
        script = (
            f'eval "$({DIYA} env)"; cp /etc/hostname copy; '
            f'{DIYA} collect -q --remove "$DIYA_DIR" -o {self.log}; [ -e "$DIYA_DIR" ] || echo removed'
        )
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, cwd=self.folder, timeout=60)
        self.assertTrue(self.writes("/copy"), done.stderr)
        self.assertEqual(done.stdout, "removed\n")

    @only_where(may_make_nodes(), "namespaces with a host name and a /dev/shm of their own are not permitted here")
    def test_other_nodes_bring_one_file_home(self) -> None:
        """Two further nodes, each with a host name and a /dev/shm of its own."""
        program = compiled("writer.c")
        node = 'hostname $1; mount -t tmpfs none /dev/shm; shift; "$@" & "$@" & wait'
        script = self.folder / "nodes.sh"
        script.write_text(
            f"for node in node1 node2; do unshare --uts --mount sh -c '{node}' sh $node "
            f"{program} exit out-$node 50; done\n"
            f"{program} exit out-home 50\n"
        )
        self.run_diya("sh", script)
        rows = self.ask(
            "select h.host, sum(c.calls) as n from call c join process h on c.process = h.process "
            "join file f on c.file_id = f.file_id where c.op = 'write' and f.path like '%/out-%' "
            "group by h.host order by 1"
        )
        counts = {row["host"]: row["n"] for row in rows}
        self.assertEqual((counts.pop("node1"), counts.pop("node2")), (100, 100))
        self.assertEqual(list(counts.values()), [50])

    def test_a_node_packs_what_killed_processes_left(self) -> None:
        program = compiled("writer.c")
        segments = self.folder / "segments"
        segments.mkdir()
        self.run_diya(program, "kill", "packed.out", 100, options=("--keep", "--segments", segments))
        (left,) = segments.iterdir()
        home = self.folder / "home"
        subprocess.run([DIYA, "collect", "-q", left, "--pack", home], check=True, timeout=60)
        again = self.folder / "again.diya"
        subprocess.run([DIYA, "collect", "-q", home, "-o", again], check=True, timeout=60)
        self.assertEqual(self.writes("packed.out", again), [(0, 100, 800)])


def main() -> None:
    global DIYA, WORK
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    options, rest = parser.parse_known_args()
    DIYA, WORK = options.diya.resolve(), options.work.resolve()
    WORK.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
