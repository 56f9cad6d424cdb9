"""Writes the OTF2 archives of corpus/traces, by the writer of the Python package otf2.

    python tests/peers/otf2_samples.py FOLDER

Makes FOLDER/otf2_mpi.tar, FOLDER/otf2_bare.tar and FOLDER/otf2_counters.tar. No program ran:
times, clocks and the identifier of the archive are given, so that the bytes of events are the
same each time.
``scripts/otf2-samples.sh`` calls this.
"""

from __future__ import annotations

import io
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import _otf2
import otf2
from otf2.enums import (
    Base,
    GroupType,
    IoAccessMode,
    IoCreationFlag,
    IoHandleFlag,
    IoOperationFlag,
    IoSeekOption,
    IoStatusFlag,
    LocationType,
    MetricMode,
    MetricOccurrence,
    MetricType,
    Paradigm,
    RecorderKind,
    Type,
)
from otf2_parts import (
    FLUSH,
    READ,
    REGIONS,
    RESOLUTION,
    STARTED,
    TRACE_ID,
    UNKNOWN,
    WRITE,
    Names,
    Thread,
    local_numbers,
    machine,
)


def mpi(folder: Path) -> None:
    """Two ranks, the first with two threads: all kinds of records of I/O."""
    with otf2.writer.open(str(folder), timer_resolution=RESOLUTION) as archive:
        archive.creator = "otf2_samples.py"
        names = Names(archive)
        for name in REGIONS:
            names.region(name)
        define = archive.definitions
        ranks = machine(archive, names, 2, 2)
        masters = tuple(threads[0] for threads in ranks)
        define.group("locations", GroupType.COMM_LOCATIONS, Paradigm.MPI, members=masters)
        world = define.group("world", GroupType.COMM_GROUP, Paradigm.MPI, members=masters)
        comm = define.comm("MPI_COMM_WORLD", world)
        shared_file = define.io_regular_file("/scratch/shared.dat", names.root)
        shared = define.io_handle("shared", shared_file, names.mpiio, comm=comm)
        for rank, threads in enumerate(ranks):
            collective(archive, names, shared, rank, threads[0])
        second = archive.event_writer_from_location(ranks[1][0])
        # The clock of rank 1 is 5 us behind at its beginning and 15 us at its end.
        _otf2.DefWriter_WriteClockOffset(second._def_handle, 1000, 50, 0.0)
        _otf2.DefWriter_WriteClockOffset(second._def_handle, 11000, 150, 0.0)
        helper = Thread(archive, names, ranks[0][1], 2000, reverse=True)
        own = define.io_regular_file("/scratch/own file.txt", names.root)
        helper_file(helper, define.io_handle("own file", own, names.isoc))
        local_numbers(helper.events, names)
        archive._realtime_timestamp = STARTED


def collective(archive: Any, names: Names, shared: Any, rank: int, location: Any) -> None:
    """What each rank does: a shared file of MPI-IO above one of POSIX, then files of its own."""
    define = archive.definitions
    program = Thread(archive, names, location, 1000)
    program.events.program_begin(program.at(), "/usr/bin/demo", ["-n", "2"])
    program.enter("main")
    below = define.io_handle("fd", shared.file, names.posix, parent=shared)
    program.enter("MPI_File_open")
    program.opened("open", below, IoAccessMode.READ_WRITE, IoCreationFlag.CREATE)
    flags = IoCreationFlag.CREATE
    program.events.io_create_handle(program.at(), shared, IoAccessMode.READ_WRITE, flags, IoStatusFlag.NONE)
    program.leave("MPI_File_open")
    for block in range(4):
        place = (2 * block + rank) * 4096
        program.enter("MPI_File_write_at")
        program.begin(shared, WRITE, 4096, offset=place)
        program.data("pwrite64", below, WRITE, 4096, offset=place)
        program.moved(shared, 0, 4096)
        program.leave("MPI_File_write_at")
    together = IoOperationFlag.COLLECTIVE
    program.data("MPI_File_read_at_all", shared, READ, 4096, offset=rank * 4096, flags=together)
    later = IoOperationFlag.NON_BLOCKING
    program.enter("MPI_File_iwrite_at")
    request = program.begin(shared, WRITE, 512, offset=32768 + 512 * rank, flags=later)
    program.events.io_operation_issued(program.at(), shared, request)
    program.leave("MPI_File_iwrite_at")
    program.enter("MPI_Wait")
    program.events.io_operation_test(program.at(), shared, request)
    program.moved(shared, request, 512, 200)
    program.leave("MPI_Wait")
    program.enter("MPI_File_close")
    program.closed("close", below)
    program.events.io_destroy_handle(program.at(), shared)
    program.leave("MPI_File_close")
    program.enter("solve")
    program.at(500)
    program.leave("solve")
    positions(program, define, rank)
    program.leave("main")
    program.events.program_end(program.at(), 0)


def positions(program: Thread, define: Any, rank: int) -> None:
    """Positions that follow from seeks and sizes, copies of descriptors, appending, failures."""
    names = program.names
    data = define.io_regular_file(f"/scratch/rank{rank}.dat", names.root)
    handle = define.io_handle("data", data, names.posix)
    copy = define.io_handle("copy", data, names.posix)
    program.opened("open", handle, IoAccessMode.READ_WRITE, IoCreationFlag.CREATE)
    for _ in range(5):
        program.data("write", handle, WRITE, 1000)
    program.sought("lseek", handle, IoSeekOption.FROM_START, 100, 100)
    # A short read: 900 of 1000 bytes.
    program.data("read", handle, READ, 1000, size=900)
    program.enter("dup")
    program.events.io_duplicate_handle(program.at(), handle, copy, IoStatusFlag.NONE)
    program.leave("dup")
    program.data("write", copy, WRITE, 7)
    program.data("write", handle, WRITE, 50, size=UNKNOWN)
    program.enter("fcntl")
    program.events.io_change_status_flags(program.at(), handle, IoStatusFlag.APPEND)
    program.leave("fcntl")
    program.data("write", handle, WRITE, 11)
    program.enter("fsync")
    program.begin(handle, FLUSH, UNKNOWN)
    program.moved(handle, 0, 0, 100)
    program.leave("fsync")
    program.enter("flock")
    program.events.io_acquire_lock(program.at(), handle, otf2.enums.LockType.EXCLUSIVE)
    program.leave("flock")
    program.closed("close", copy)
    program.closed("close", handle)
    program.enter("unlink")
    program.events.io_delete_file(program.at(), names.posix, data)
    program.leave("unlink")


def helper_file(thread: Thread, handle: Any) -> None:
    """A thread that writes text while the other one waits, with region numbers of its own."""
    thread.opened("fopen", handle, IoAccessMode.WRITE_ONLY, IoCreationFlag.CREATE)
    for _ in range(10):
        thread.data("fwrite", handle, WRITE, 40)
    thread.closed("fclose", handle)


def bare(folder: Path) -> None:
    """One process without functions around its operations, as converters write it."""
    with otf2.writer.open(str(folder), timer_resolution=1_000_000_000) as archive:
        names = Names(archive)
        location = machine(archive, names, 1, 1)[0][0]
        define = archive.definitions
        output = define.io_handle("stdout", None, names.isoc, IoHandleFlag.PRE_CREATED)
        define.io_pre_created_handle_state(output, IoAccessMode.WRITE_ONLY, IoStatusFlag.APPEND)
        folder_of = define.io_directory("/scratch", names.root)
        listing = define.io_handle("listing", folder_of, names.posix)
        data = define.io_regular_file("/scratch/data.bin", names.root)
        handle = define.io_handle("data", data, names.posix)
        bare = Thread(archive, names, location, 0)
        bare.events.io_create_handle(
            bare.at(), listing, IoAccessMode.READ_ONLY, IoCreationFlag.DIRECTORY, IoStatusFlag.NONE
        )
        bare.events.io_create_handle(bare.at(), handle, IoAccessMode.READ_ONLY, IoCreationFlag.NONE, IoStatusFlag.NONE)
        for _ in range(8):
            bare.begin(handle, READ, 1 << 20)
            bare.moved(handle, 0, 1 << 20, 100_000)
        bare.begin(output, WRITE, 12)
        bare.moved(output, 0, 12, 500)
        bare.events.io_destroy_handle(bare.at(), handle)
        bare.events.io_destroy_handle(bare.at(), listing)
        archive._realtime_timestamp = STARTED


def counters(folder: Path) -> None:
    """Two processes that write and count, and the power of their node."""
    with otf2.writer.open(str(folder), timer_resolution=1_000_000_000) as archive:
        names = Names(archive)
        define = archive.definitions
        ranks = machine(archive, names, 2, 1)
        cycles = define.metric_member(
            "PAPI_TOT_CYC",
            "",
            MetricType.PAPI,
            MetricMode.ACCUMULATED_START,
            Type.UINT64,
            Base.DECIMAL,
            0,
            "#",
        )
        resident = define.metric_member(
            "ru_maxrss",
            "",
            MetricType.RUSAGE,
            MetricMode.ABSOLUTE_POINT,
            Type.INT64,
            Base.BINARY,
            10,
            "bytes",
        )
        power = define.metric_member(
            "power",
            "",
            MetricType.OTHER,
            MetricMode.ABSOLUTE_NEXT,
            Type.DOUBLE,
            Base.DECIMAL,
            -3,
            "W",
        )
        synchronous = define.metric_class((cycles, resident), MetricOccurrence.SYNCHRONOUS_STRICT, RecorderKind.CPU)
        of_node = define.metric_class((power,), MetricOccurrence.ASYNCHRONOUS, RecorderKind.ABSTRACT)
        group = ranks[0][0].group
        plugin = define.location("power", LocationType.METRIC, group=group)
        watched = define.metric_instance(of_node, plugin, scope=group.system_tree_parent)
        for rank, (location,) in enumerate(ranks):
            data = define.io_regular_file(f"/scratch/rank{rank}.dat", names.root)
            handle = define.io_handle("data", data, names.posix)
            thread = Thread(archive, names, location, 1000)
            thread.opened("open", handle, IoAccessMode.WRITE_ONLY, IoCreationFlag.CREATE)
            for at in range(20):
                thread.events.metric(thread.at(), synchronous, (1000 * at * (rank + 1), 4 + at))
                thread.data("write", handle, WRITE, 4096)
            thread.closed("close", handle)
        writer = archive.event_writer_from_location(plugin)
        for at in range(10):
            writer.metric(1000 + 1000 * at, watched, (150_000.5 - 1000 * at,))
        archive._realtime_timestamp = STARTED


def packed(folder: Path, name: str, tar: Path) -> None:
    """Put an archive in a tar file: the anchor first."""
    inside = folder / name
    paths = sorted(path for path in inside.rglob("*") if path.is_file())
    paths.sort(key=lambda path: path.suffix != ".otf2")
    # No more zeros at the end than mark it: each cut of the file is then one of the archive.
    tarfile.RECORDSIZE = tarfile.BLOCKSIZE
    with tarfile.open(tar, "w", format=tarfile.USTAR_FORMAT) as archive:
        for path in paths:
            about = tarfile.TarInfo(str(path.relative_to(folder)))
            about.size = path.stat().st_size
            content = path.read_bytes()
            if path.suffix == ".otf2":
                # The number of the archive, which is another one each time.
                content = content[: TRACE_ID.start] + bytes(8) + content[TRACE_ID.stop :]
            archive.addfile(about, io.BytesIO(content))


def main() -> int:
    """Write the archives."""
    to = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name, write in (("mpi", mpi), ("bare", bare), ("counters", counters)):
            write(folder / f"otf2_{name}")
            packed(folder, f"otf2_{name}", to / f"otf2_{name}.tar")
    return 0


if __name__ == "__main__":
    sys.exit(main())
