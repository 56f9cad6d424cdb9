"""Damaged logs of every format that diya reads: read in part, or refused with file and reason."""

from __future__ import annotations

import random
import shutil
import tarfile
import time
import warnings
import zlib
from pathlib import Path

import diya
import pytest

CORPUS = Path(__file__).parents[2] / "corpus"
#: Events as a profiler writes them: no sample of the corpus is one of Chrome.
CHROME = (
    '{"traceEvents":[\n'
    + "".join(
        f'{{"ph":"X","cat":"posix","name":"pread","pid":1,"tid":1,"ts":{number * 3},"dur":2,'
        f'"args":{{"file":"/data/part_{number % 5}","offset":{number},"ret":4096}}}},\n'
        for number in range(200)
    )
    + '{"ph":"M","name":"process_name","pid":1,"args":{"name":"python"}}]}\n'
)
#: One of each format and version; of a folder, the file that is damaged.
SAMPLES = [
    *(f"logs/{name}" for name in ("ior_mpiio_coll_hints.darshan", "mmap_kill_rank1.darshan.gz")),
    *(f"parser-output/ior_mpiio_coll_hints.{kind}.txt" for kind in ("base", "dxt")),
    *(f"traces/recorder_nest_{version}.tar" for version in ("2.2", "2.3", "2.4", "2.5_merged", "3.0")),
    *(f"traces/otf2_{name}.tar" for name in ("bare", "counters", "mpi")),
    *(f"traces/small{ending}" for ending in (".pfw.gz", "_plain.pfw", ".strace", "_times_only.strace")),
    *(f"traces/tmio_{name}" for name in ("lines.jsonl", "ranks.json")),
    *(f"mapped/calls{ending}" for ending in (".toml", ".csv", ".parquet")),
]
#: Damages of each sample.
TRIES = 8


def damaged(whole: bytes, chance: random.Random) -> bytes:
    """The file cut, with one bit flipped, or overwritten in one place."""
    bytes_ = bytearray(whole)
    place = chance.randrange(len(whole))
    kind = chance.randrange(3)
    if kind == 0:
        del bytes_[place:]
    elif kind == 1:
        bytes_[place] ^= 1 << chance.randrange(8)
    else:
        bytes_[place : place + 64] = bytes(len(bytes_[place : place + 64]))
    return bytes(bytes_)


def check(log: Path, name: Path) -> None:
    """Open a log: tables, with issues or without, or an error that says where and why.

    ``name`` is the file that a report may name: a mapping names the file with the calls.
    """
    begin = time.process_time()
    try:
        with warnings.catch_warnings():
            # Where the names in an archive are damaged, its files are several logs.
            warnings.simplefilter("ignore", diya.LogWarning)
            job = diya.open(log)
            assert len(job.table("call").to_dicts(10)) <= 10
            job.issues()
    except (diya.FormatError, diya.OpenError) as error:
        # Of a member of an archive: `archive!member`.
        assert error.file is not None, error
        assert Path(error.file.partition("!")[0]) in (log, name), error
        assert error.reason, error
        assert error.offset is None or error.offset >= 0
    assert time.process_time() - begin < 2


def tries(name: str, whole: bytes) -> list[bytes]:
    """Damaged copies, the same ones in every run."""
    chance = random.Random(zlib.crc32(name.encode()))
    return [b"", *(damaged(whole, chance) for _ in range(TRIES))]


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_damaged_file(sample: str, tmp_path: Path) -> None:
    source = CORPUS / sample
    file = tmp_path / source.name
    log = file
    if sample.startswith("mapped/"):
        shutil.copytree(source.parent, tmp_path, dirs_exist_ok=True)
        log = tmp_path / ("calls_parquet.toml" if file.suffix == ".parquet" else "calls.toml")
    for bytes_ in tries(sample, source.read_bytes()):
        file.write_bytes(bytes_)
        check(log, file)


def test_damaged_events_of_chrome(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    for bytes_ in tries("chrome", CHROME.encode()):
        file.write_bytes(bytes_)
        check(file, file)


def test_a_damaged_recording_of_diya(tmp_path: Path) -> None:
    file = tmp_path / "run.diya"
    diya.record(["cp", __file__, str(tmp_path / "copy")], output=file)
    for bytes_ in tries("diya", file.read_bytes()):
        file.write_bytes(bytes_)
        check(file, file)


@pytest.mark.parametrize("sample", ["recorder_nest_2.5", "recorder_nest_3.0", "otf2_mpi"])
def test_a_damaged_file_of_a_folder(sample: str, tmp_path: Path) -> None:
    with tarfile.open(CORPUS / "traces" / f"{sample}.tar") as packed:
        packed.extractall(tmp_path)
    (listed,) = [*tmp_path.rglob("recorder.mt"), *tmp_path.rglob("*.otf2")]
    log = listed.parent
    for file in sorted(path for path in log.rglob("*") if path.is_file()):
        whole = file.read_bytes()
        for bytes_ in tries(file.name, whole)[:4]:
            file.write_bytes(bytes_)
            check(log, log)
        file.write_bytes(whole)
