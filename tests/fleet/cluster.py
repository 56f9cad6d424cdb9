"""Every question, answered by a cluster: the rows have to be those of the engine inside diya.

    scripts/cluster.sh
    $(scripts/python-env.sh tests/fleet/requirements.txt fleet-env)/python tests/fleet/cluster.py \
        --diya target/debug/diya --logs FOLDER [--kills 1] [--slurm]

Starts a cluster of two workers on this machine (with --slurm in a made-up allocation of two
nodes, by tests/fleet/array/srun), asks all questions both ways, and compares the rows after
sorting, by hash; reals to nine digits, because sums are added up in another order. Then kills a
worker with SIGKILL in the middle of a statement, --kills times at different moments: the answer
has to be right, or an error that says what to do. At the end all workers are killed.
"""

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

#: Takes some seconds on a quick build; the rows of two tables in all pairs.
LONG = """
select a.system, count(*) as pairs, sum((a.bytes_read + b.bytes_written) % 1000003 + c.n) as checked
from record a join record b on a.system = b.system
cross join (select nprocs as n from job order by log_hash limit {jobs}) c
group by a.system order by a.system
"""


def diya(*arguments: str, check: bool = True) -> subprocess.CompletedProcess:
    return subprocess.run([DIYA, "--json", *arguments], check=check, capture_output=True, text=True, timeout=180)


def digest(text: str) -> str:
    """A hash of the rows, whatever their order."""

    def plain(value: object) -> object:
        return float(f"{value:.9g}") if isinstance(value, float) else value

    rows = [json.dumps({name: plain(value) for name, value in row.items()}, sort_keys=True) for row in json.loads(text)]
    return hashlib.sha256("\n".join(sorted(rows)).encode()).hexdigest()[:32]


@contextlib.contextmanager
def cluster(file: str, slurm: bool):
    """A cluster, and the processes of its workers."""
    command = [DIYA, "--json", "fleet", "cluster", "start", "--cluster", file]
    environment = dict(os.environ)
    if slurm:
        simulator = ROOT / "tests/fleet/array"
        environment |= {
            "PATH": f"{simulator}:{os.environ['PATH']}",
            "SLURM_JOB_NUM_NODES": "2",
            "SLURM_CPUS_ON_NODE": "1",
        }
    else:
        command += ["--workers", "2", "--cores", "1"]
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        if not process.stdout.readline():
            sys.exit(f"fleet cluster: it did not start, exit code {process.wait()}")
        yield process, time.monotonic() - started
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def workers(process: subprocess.Popen) -> list[int]:
    """Process ids of the workers below a process."""
    found, all_of = [], [process.pid]
    while all_of:
        pid = all_of.pop()
        with contextlib.suppress(OSError):
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                all_of += [int(child) for child in (task / "children").read_text().split()]
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if words[0].endswith(b"diya-cluster") and words[1] == b"worker":
                found.append(pid)
    return found


def questions(dataset: str, file: str) -> dict[str, str]:
    """Compares all answers; seconds and hashes of both ways."""
    names = [question["name"] for question in json.loads(diya("fleet", "ask").stdout)]
    different, took, rows, of_all = [], [0.0, 0.0], 0, hashlib.sha256()
    for name in names:
        begin = time.monotonic()
        here = diya("fleet", "ask", dataset, name).stdout
        between = time.monotonic()
        there = diya("fleet", "cluster", "ask", dataset, name, "--cluster", file, check=False)
        took = [took[0] + between - begin, took[1] + time.monotonic() - between]
        if there.returncode != 0 or digest(there.stdout) != digest(here):
            different.append(f"{name}: {there.stderr.strip() or 'other rows'}")
        rows += len(json.loads(here))
        of_all.update(digest(here).encode())
    if different:
        sys.exit("fleet cluster: not as the engine inside diya:\n" + "\n".join(different))
    print(
        f"fleet cluster: {len(names)} questions, {rows} equal rows, hash {of_all.hexdigest()[:16]}; "
        f"here {took[0]:.1f} s, by the cluster {took[1]:.1f} s"
    )


def killed(dataset: str, file: str, slurm: bool, sql: str, right: str, part: float, whole_s: float) -> None:
    """Kills one of two workers when such a part of the statement is done."""
    with cluster(file, slurm) as (process, _):
        begin = time.monotonic()
        command = [DIYA, "--json", "fleet", "cluster", "sql", dataset, sql, "--cluster", file]
        client = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(part * whole_s)
        is_early = client.poll() is None
        os.kill(workers(process)[0], signal.SIGKILL)
        answer, error = client.communicate()
        how = "the right answer" if client.returncode == 0 else error.strip()
        if client.returncode == 0 and digest(answer) != right:
            sys.exit(f"fleet cluster: a wrong answer after a kill: {answer}")
        if client.returncode != 0 and "cluster" not in error:
            sys.exit(f"fleet cluster: an error that does not say what happened: {error}")
        when = "in the middle" if is_early else "after the end"
        print(
            f"fleet cluster: worker killed {when}, at {part:.0%}: {how}, "
            f"{time.monotonic() - begin:.1f} s (without {whole_s:.1f} s)"
        )


def all_killed(dataset: str, file: str, slurm: bool, sql: str, whole_s: float) -> None:
    with cluster(file, slurm) as (process, _):
        command = [DIYA, "--json", "fleet", "cluster", "sql", dataset, sql, "--cluster", file]
        client = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(0.3 * whole_s)
        for worker in workers(process):
            os.kill(worker, signal.SIGKILL)
        error = client.communicate()[1].strip()
        if client.returncode == 0 or "cluster" not in error:
            sys.exit(f"fleet cluster: all workers killed, exit code {client.returncode}: {error}")
        print(f"fleet cluster: all workers killed: exit code {client.returncode}, {error}")
    gone = diya("fleet", "cluster", "sql", dataset, "select 1", "--cluster", file, check=False)
    if gone.returncode == 0 or "fleet cluster start" not in gone.stderr:
        sys.exit(f"fleet cluster: without a cluster: {gone.stderr}")


def main(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        dataset, file = f"{folder}/data", f"{folder}/cluster.json"
        diya("fleet", "ingest", options.logs, "-o", dataset, "--system", "test")
        diya("fleet", "compact", dataset)
        with cluster(file, options.slurm) as (_, start_s):
            print(f"fleet cluster: started in {start_s:.1f} s")
            questions(dataset, file)
            sql = LONG.format(jobs=options.pairs)
            begin = time.monotonic()
            there = diya("fleet", "cluster", "sql", dataset, sql, "--cluster", file).stdout
            whole_s = time.monotonic() - begin
            refused = diya(
                "fleet", "cluster", "sql", dataset, "copy job to '/tmp/x.csv'", "--cluster", file, check=False
            )
            if refused.returncode == 0:
                sys.exit("fleet cluster: a statement wrote a file")
        right = digest(diya("fleet", "sql", dataset, sql).stdout)
        if digest(there) != right:
            sys.exit("fleet cluster: another sum than the engine inside diya")
        for number in range(options.kills):
            part = (number + 0.5) / options.kills
            killed(dataset, file, options.slurm, sql, right, part, whole_s)
        all_killed(dataset, file, options.slurm, sql, whole_s)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", required=True)
    parser.add_argument("--logs", required=True)
    parser.add_argument("--kills", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=20, help="size of the statement that is killed")
    parser.add_argument("--slurm", action="store_true", help="in a made-up allocation of Slurm")
    args = parser.parse_args()
    DIYA = os.path.abspath(args.diya)
    args.logs = os.path.abspath(args.logs)
    main(args)
