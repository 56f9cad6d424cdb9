#!/usr/bin/env python3
"""Walks the cases that diya was begun for, each from the diagnosis to the proof.

    python3 lab/seeds/seeds.py --diya PATH --bin FOLDER --work FOLDER [--machine FILE]

For each workload, in turns and several times: the faulty variant recorded; the same with what
`diya tune` wrote for it; the mended variant. Of each the run with the least I/O time counts.
Writes lab/seeds/seeds.md, and a comparison page of each in FOLDER. `lab/seeds/seeds.sh` calls it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIMES = 4
LIMIT_S = 120
LAUNCH = ["mpirun.mpich", "-n"]


@dataclass
class Seed:
    """A case from elsewhere, and the workload that has its shape."""

    case: str
    source: str
    workload: str
    scale: float
    network_scale: float
    ranks: int = 2


#: Two ranks: more than the processors of a small machine wait for each other by polling.
SEEDS = [
    Seed("openPMD: metadata of HDF5 by every rank", "AIIO (HPDC 2023)", "hdf5_metadata", 40, 4),
    Seed("openPMD: datasets off the blocks of the file system", "AIIO (HPDC 2023)", "hdf5_alignment", 40, 4),
    Seed("AMReX: plotfiles of many small writes", "AMReX documentation; AIIO", "plotfiles", 40, 2),
    Seed("h5bench: independent writes of HDF5", "h5bench (CUG 2021)", "hdf5_transfer", 80, 2),
    Seed("E2E: fill values before the data", "AIIO (HPDC 2023)", "netcdf_fill", 60, 4, 1),
    Seed("E2E: rank 0 writes for all", "AIIO (HPDC 2023)", "rank0_writes", 100, 4),
    Seed("IOR at LRZ: independent, then collective with hints", "Darshan at LRZ", "strided_shared_file", 200, 4),
    Seed("S3D-IO: blocks of fields in one file", "S3D-IO (Northwestern)", "block_checkpoint", 40, 2),
    Seed("Code P: blocks read in turn", "HPDC 2015", "block_reads", 200, 4),
]


def run(args: argparse.Namespace, seed: Seed, variant: str, log: Path, options: list[str]) -> dict:
    """One recorded run in a fresh folder; its answer."""
    folder = Path(tempfile.mkdtemp(prefix="seed.", dir=args.place))
    answer = folder.with_suffix(".json")
    program = [*LAUNCH, str(seed.ranks), args.bin / seed.workload] if seed.ranks > 1 else [args.bin / seed.workload]
    command = [args.diya, "run", "-q", "--stacks", "--force", "-o", log, *options, "--", *program]
    command += ["--variant", variant, "--dir", folder, "--scale", str(args.scale_of(seed)), "--answer", answer]
    try:
        run_within(command)
        return json.loads(answer.read_text())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        answer.unlink(missing_ok=True)


def run_within(command: list) -> None:
    """Runs a command; after LIMIT_S it and all that it started are killed: a client of a network
    file system may hang."""
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    ) as started:
        try:
            _, said = started.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            raise
    if started.returncode != 0:
        raise subprocess.CalledProcessError(started.returncode, command, stderr=said)


def report(args: argparse.Namespace, log: Path) -> dict:
    words = [args.diya, "report", "-q", "--format", "json", "--metrics", "none", log]
    words += ["--machine", args.machine] if args.machine else []
    done = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return done[0] if isinstance(done, list) else done


def walk(args: argparse.Namespace, seed: Seed) -> dict:
    """Report, settings, both fixes, and what they gained."""
    logs = {name: args.work / f"{args.name}.{seed.workload}.{name}.diya" for name in ("before", "tuned", "mended")}
    settings = args.work / f"{args.name}.{seed.workload}.settings"
    shutil.rmtree(settings, ignore_errors=True)
    best: dict[str, dict] = {}

    def once(name: str, variant: str, options: list[str]) -> None:
        log = logs[name].with_suffix(".new.diya")
        answer = run(args, seed, variant, log, options)
        if name not in best or answer["io_s"] < best[name]["io_s"]:
            log.replace(logs[name])
            best[name] = answer
        else:
            log.unlink()

    once("before", "before", [])
    subprocess.run([args.diya, "tune", "-q", logs["before"], "-o", settings], check=True, capture_output=True)
    applicable = [name for name in ("program.conf", "romio-hints.txt") if (settings / name).exists()]
    for _ in range(TIMES):
        once("before", "before", [])
        if applicable:
            once("tuned", "before", ["--apply", str(settings)])
        once("mended", "after", [])
    found = report(args, logs["before"])
    first = next((f for f in found["findings"] if f["lost_high_s"] and f["id"] != "job/unexplained-io"), None)
    lines = [line for name in applicable for line in (settings / name).read_text().splitlines()]
    others = (
        [path.name for path in settings.iterdir() if path.name not in (*applicable, "tune.toml")]
        if settings.exists()
        else []
    )
    pages = [logs["before"], logs["mended"]]
    subprocess.run(
        [args.diya, "report", "-q", "--together", *pages, "--html", args.work / f"{args.name}.{seed.workload}.html"],
        capture_output=True,
        check=False,
    )
    compared = subprocess.run([args.diya, "compare", "-q", *pages], capture_output=True, text=True, check=True)
    (args.work / f"{args.name}.{seed.workload}.compare.txt").write_text(compared.stdout)
    results = {name: answer["result"] for name, answer in best.items()}
    return {
        "workload": seed.workload,
        "finding": first["id"] if first else None,
        "share": found["verdict"]["io_share"],
        "low_s": first and first["lost_low_s"],
        "high_s": first and first["lost_high_s"],
        "io_s": {name: answer["io_s"] for name, answer in best.items()},
        "settings": sorted({line.split()[0] for line in lines if line and not line.startswith("#")}),
        "others": sorted(others),
        "load": os.getloadavg()[0],
        "equal": all(result == results["before"] for result in results.values()),
    }


#: File systems, and what they are called.
PLACES = {"disk": "A local disk", "network": "GlusterFS over loopback (four bricks)"}


def page(results: dict[str, dict[str, dict]]) -> str:
    lines = [
        "# The cases diya was begun for",
        "",
        "`lab/seeds/seeds.sh` writes this page: programs that have the shape of published cases, with two ranks.",
        "Each is recorded as it is, with what `diya tune` wrote for it (`--apply`), and mended. Times are shares of the I/O time of the",
        f'faulty variant, the least of {TIMES} runs in turns; "predicted" is the share that the first finding says would remain.',
        "What needs several nodes (stripes on several servers, locks between nodes) does not show here.",
    ]
    for place, title in PLACES.items():
        if place in results:
            loads = [r["load"] for r in results[place].values() if "load" in r]
            note = (
                [
                    f"Load averages of {min(loads):.0f} to {max(loads):.0f} on {os.cpu_count()} processors while it ran.",
                    "",
                ]
                if loads
                else []
            )
            lines += ["", f"## {title}", "", *note, *table(results[place])]
    return "\n".join(lines) + "\n"


def table(results: dict[str, dict]) -> list[str]:
    lines = [
        "| case | workload | first finding | predicted | mended | with settings | settings, and files for people | result |",
        "|---|---|---|---:|---:|---:|---|---|",
    ]
    for seed in SEEDS:
        r = results.get(seed.workload)
        if r is None:
            lines.append(f"| {seed.case} ({seed.source}) | {seed.workload} | not run here | | | | | |")
            continue
        before_s = r["io_s"]["before"]
        predicted = "-"
        if r["high_s"] is not None:
            remains = [max(0.0, 1 - (s or 0.0) / before_s) for s in (r["high_s"], r["low_s"])]
            predicted = f"{remains[0]:.2f} to {remains[1]:.2f}"
        ratio = lambda name: f"{r['io_s'][name] / before_s:.2f}" if name in r["io_s"] else "-"  # noqa: E731, B023
        named = ", ".join([*(f"`{name}`" for name in r["settings"]), *r["others"]]) or "none"
        lines.append(
            f"| {seed.case} ({seed.source}) | {seed.workload} | {r['finding'] or 'none'} | {predicted} | {ratio('mended')} |"
            f" {ratio('tuned')} | {named} | {'equal' if r['equal'] else 'DIFFERS'} |"
        )
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--diya", type=Path, required=True)
    parser.add_argument("--bin", type=Path, required=True, help="where make put the workloads")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--name", choices=PLACES, default="disk", help="what the file system is called")
    parser.add_argument("--place", type=Path, default=Path("/var/tmp"), help="a folder on it")
    parser.add_argument("--machine", type=Path, help="a profile of it")
    parser.add_argument("--only", nargs="*", default=[])
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    kept = args.work / "results.json"
    everything = json.loads(kept.read_text()) if kept.exists() else {}
    results = everything.setdefault(args.name, {})
    args.scale_of = lambda seed: seed.network_scale if args.name == "network" else seed.scale
    failed = 0
    for seed in SEEDS:
        if args.only and seed.workload not in args.only:
            continue
        try:
            results[seed.workload] = walk(args, seed)
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            failed += 1
            detail = getattr(error, "stderr", b"") or b""
            print(f"{seed.workload}: FAILED {error} {detail[-300:]!r}", file=sys.stderr, flush=True)
            continue
        print(json.dumps(results[seed.workload]), flush=True)
        kept.write_text(json.dumps(everything, indent=1))
    (ROOT / "lab/seeds/seeds.md").write_text(page(everything))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
