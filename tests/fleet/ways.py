"""One fleet, read in three ways: the rows have to be the same.

    python=$(scripts/python-env.sh tests/fleet/requirements.txt fleet-env)/python
    $python tests/fleet/ways.py --diya target/debug/diya --logs FOLDER

On this machine by one command, by a job array (the scripts of `diya fleet script`, run by
tests/fleet/array), and by a Dask cluster of which a worker is killed in the middle.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from dask.distributed import Client, LocalCluster

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARDS = 3
OPTIONS = ["--system", "test"]


def fleet(*arguments):
    return subprocess.run([DIYA, "fleet", *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def local(dataset, logs):
    fleet("ingest", "-o", dataset, *OPTIONS, logs)


def array(batch):
    def run(dataset, logs):
        jobs = f"{dataset}-jobs"
        fleet("script", batch, "-o", jobs, "--shards", str(SHARDS), "--cpus", "1", *OPTIONS, logs, dataset)
        path = f"{ROOT / 'tests/fleet/array'}:{os.environ['PATH']}"
        subprocess.run([f"{jobs}/submit.sh"], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PATH": path})

    return run


def dask(dataset, logs):
    command = [sys.executable, str(ROOT / "python/diya_fleet_dask.py"), "-o", dataset, "--diya", DIYA]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        workers = client.run(os.getpid)
        command += ["--scheduler", cluster.scheduler_address, "--shards", str(SHARDS), logs, "--", *OPTIONS]
        adapter = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        busy = None
        while busy is None and adapter.poll() is None:
            busy = next((worker for worker, tasks in client.processing().items() if tasks), None)
            time.sleep(0.01)
        if busy is None:
            sys.exit("fleet ways: no worker got a shard")
        os.kill(workers[busy], signal.SIGKILL)
        said = adapter.communicate()[0]
        if adapter.returncode != 0:
            sys.exit("fleet ways: a killed worker ended the ingest")
    if said != fleet("hash", dataset):
        sys.exit(f"fleet ways: the adapter printed another hash:\n{said}")


# PBS has the same scripts but for its names: crates/diya-cli/tests/fleet_script.rs runs them.
WAYS = {"local": local, "slurm": array("slurm"), "dask": dask}


def main():
    hashes = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, run in WAYS.items():
            start = time.monotonic()
            dataset = f"{folder}/{name}"
            run(dataset, LOGS)
            hashes[name] = fleet("hash", dataset)
            print(f"fleet ways: {name:6} {time.monotonic() - start:5.1f} s")
    different = [name for name, text in hashes.items() if text != hashes["local"]]
    for name in different:
        print(f"local:\n{hashes['local']}\n{name}:\n{hashes[name]}")
    if different:
        sys.exit(f"fleet ways: not as the local ingest: {', '.join(different)}")
    rows = {line.split()[0]: int(line.split()[1]) for line in hashes["local"].splitlines()[1:]}
    if 0 in (rows["job"], rows["record"], rows["finding"]):
        sys.exit(f"fleet ways: nothing was compared: {rows}")
    print(f"fleet ways: equal rows of {rows['job']} jobs by one command, a job array and Dask")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", required=True)
    parser.add_argument("--logs", required=True)
    args = parser.parse_args()
    DIYA, LOGS = os.path.abspath(args.diya), os.path.abspath(args.logs)
    main()
