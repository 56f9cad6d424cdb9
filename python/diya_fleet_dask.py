"""Reads the logs of a centre with the workers of a Dask cluster.

    python diya_fleet_dask.py -o DATASET [--scheduler ADDRESS] [--shards N] PATH... [-- OPTION...]

Each task is one command: `diya fleet ingest --shard i/n`. Dask only hands out the shards, so
the rows are those of any other way. Without a scheduler a cluster on this machine is
started. With dask-jobqueue or dask-mpi, give the address of their scheduler, or call `ingest`
with their client:

    from dask.distributed import Client
    from dask_jobqueue import SLURMCluster
    import diya_fleet_dask

    cluster = SLURMCluster(cores=4, memory="8GB")
    cluster.scale(jobs=16)
    diya_fleet_dask.ingest(Client(cluster), "/data/fleet", ["/darshan-logs"], shards=64)

The program `diya`, the logs and the dataset have the same paths on all nodes. What follows
`--` are options of `diya fleet ingest`.
"""

import argparse
import os
import subprocess
import sys
import time

# The command on a worker that was killed may go on for a while and hold its shard.
BUSY = "another process writes into the dataset"
# diya's exit codes: 1 is complete, with files that could not be read.
COMPLETE = (0, 1)


def run_shard(command, wait_s=600.0):
    """Runs on a worker: one shard from begin to end."""
    until = time.monotonic() + wait_s
    while True:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        if done.returncode in COMPLETE:
            return done.stdout.strip()
        if BUSY not in done.stderr or time.monotonic() > until:
            raise RuntimeError(f"shard {command[command.index('--shard') + 1]}: {done.stderr.strip()}")
        time.sleep(0.2)


def ingest(client, dataset, paths, shards=16, diya="diya", options=(), retries=3):
    """Reads logs into a dataset, compacts it, and returns its hash as text.

    A shard whose worker dies is run again on another worker. What was read before stays.
    """
    dataset = os.path.abspath(dataset)
    paths = [os.path.abspath(path) for path in paths]
    common = [diya, "fleet", "ingest", "--threads", "1", "-o", dataset, *options]
    # Workers on other nodes import this file.
    client.upload_file(os.path.abspath(__file__))
    # pure=False: a second ingest of the same paths has to look for new logs.
    tasks = [
        client.submit(run_shard, [*common, "--shard", f"{i}/{shards}", "--", *paths], retries=retries, pure=False)
        for i in range(1, shards + 1)
    ]
    client.gather(tasks)
    for command in ("compact", "hash"):
        said = subprocess.run([diya, "fleet", command, dataset], check=True, stdout=subprocess.PIPE, text=True)
    return said.stdout


def main():
    own, options = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, options = own[:at], own[at + 1 :]
    parser = argparse.ArgumentParser(
        description="diya fleet ingest on a Dask cluster", epilog="-- OPTION...: options of diya fleet ingest"
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="folders, logs, archives")
    parser.add_argument("-o", "--output", required=True, metavar="DATASET")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a running cluster, for example tcp://node1:8786")
    parser.add_argument("--scheduler-file", metavar="FILE", help="that dask-mpi or `dask scheduler` wrote")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), metavar="N", help="of a cluster on this machine")
    parser.add_argument("--shards", type=int, metavar="N", help="parts of the logs (default: 4 for each worker)")
    parser.add_argument("--diya", default="diya", metavar="FILE", help="the program on all nodes")
    args = parser.parse_args(own)

    from dask.distributed import Client, LocalCluster

    cluster = None
    if args.scheduler or args.scheduler_file:
        client = Client(args.scheduler, scheduler_file=args.scheduler_file)
        workers = max(1, len(client.nthreads()))
    else:
        workers = args.workers
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
        client = Client(cluster)
    try:
        print(ingest(client, args.output, args.paths, args.shards or 4 * workers, args.diya, options), end="")
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


if __name__ == "__main__":
    main()
