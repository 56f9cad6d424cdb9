"""What the archives of tests are made of: functions, threads, names, and the machine they ran on."""

from __future__ import annotations

from typing import Any

import _otf2
from otf2.enums import (
    IoOperationFlag,
    IoOperationMode,
    IoParadigmClass,
    IoParadigmFlag,
    IoStatusFlag,
    LocationGroupType,
    LocationType,
    MappingType,
    Paradigm,
    ParadigmClass,
    RegionRole,
    SystemTreeDomain,
    Type,
)

#: Ticks a second of the recorded clock.
RESOLUTION = 10_000_000
#: Seconds since 1970 of the first event.
STARTED = 1_700_000_000.0
READ, WRITE, FLUSH = IoOperationMode.READ, IoOperationMode.WRITE, IoOperationMode.FLUSH
BLOCKING = IoOperationFlag.NONE
#: What a call that failed returns, and what stands for an unknown number.
UNKNOWN = 2**64 - 1
#: Where an anchor has the number of its archive.
TRACE_ID = slice(-19, -11)
#: All functions, in the order of their numbers.
REGIONS = """main solve open close read write pwrite64 lseek dup fcntl fsync flock unlink fopen
fwrite fclose MPI_File_open MPI_File_close MPI_File_write_at MPI_File_read_at_all
MPI_File_iwrite_at MPI_Wait""".split()


class Thread:
    """Events of one location, one after the other, 10 ticks apart."""

    def __init__(self, archive: Any, names: Names, location: Any, start: int, reverse: bool = False) -> None:
        self.events = archive.event_writer_from_location(location)
        self.names = names
        self.now = start
        self.requests = 0
        #: Regions have the numbers of ``local_numbers``.
        self.reverse = reverse

    def region(self, name: str) -> Any:
        """Return the region of this name, or the one whose number is its local number."""
        region = self.names.region(name)
        if not self.reverse:
            return region
        regions = list(self.names.regions.values())
        return regions[len(regions) - 1 - regions.index(region)]

    def at(self, ticks: int = 10) -> int:
        """Let time pass; returns the time."""
        self.now += ticks
        return self.now

    def enter(self, name: str) -> None:
        """Begin a function."""
        self.events.enter(self.at(), self.region(name))

    def leave(self, name: str) -> None:
        """End a function."""
        self.events.leave(self.at(), self.region(name))

    def begin(self, handle: Any, mode: Any, asked: int, **more: Any) -> int:
        """Begin an operation; returns its number."""
        flags = more.get("flags", BLOCKING)
        offset = more.get("offset")
        number = 0
        if flags == IoOperationFlag.NON_BLOCKING:
            self.requests += 1
            number = self.requests
        attributes = None if offset is None else {self.names.offset: offset}
        self.events.io_operation_begin(self.at(), handle, mode, flags, asked, number, attributes=attributes)
        return number

    def moved(self, handle: Any, number: int, size: int, ticks: int = 10) -> None:
        """End an operation."""
        self.events.io_operation_complete(self.at(ticks), handle, size, number)

    def data(self, name: str, handle: Any, mode: Any, asked: int, **more: Any) -> None:
        """Read or write in a function of this name."""
        self.enter(name)
        number = self.begin(handle, mode, asked, **more)
        self.moved(handle, number, more.get("size", asked), asked // 10 + 1)
        self.leave(name)

    def opened(self, name: str, handle: Any, mode: Any, flags: Any, status: Any = None) -> None:
        """Open in a function of this name."""
        self.enter(name)
        status = IoStatusFlag.NONE if status is None else status
        self.events.io_create_handle(self.at(), handle, mode, flags, status)
        self.leave(name)

    def closed(self, name: str, handle: Any) -> None:
        """Close in a function of this name."""
        self.enter(name)
        self.events.io_destroy_handle(self.at(), handle)
        self.leave(name)

    def sought(self, name: str, handle: Any, whence: Any, by: int, place: int) -> None:
        """Move the position in a function of this name."""
        self.enter(name)
        self.events.io_seek(self.at(), handle, by, whence, place)
        self.leave(name)


class Names:
    """Definitions that all threads share."""

    def __init__(self, archive: Any) -> None:
        self.definitions = archive.definitions
        self.regions: dict[str, Any] = {}
        define = self.definitions
        self.offset = define.attribute("Offset", "place in the file", Type.UINT64)
        define.paradigm(Paradigm.MPI, "mpi", ParadigmClass.PROCESS)
        define.paradigm(Paradigm.USER, "user", ParadigmClass.PROCESS)
        self.posix = define.io_paradigm("POSIX", "POSIX I/O", IoParadigmClass.SERIAL, IoParadigmFlag.OS)
        self.isoc = define.io_paradigm("ISOC", "ISO C I/O", IoParadigmClass.SERIAL, IoParadigmFlag.OS)
        self.mpiio = define.io_paradigm("MPI-IO", "MPI I/O", IoParadigmClass.PARALLEL, IoParadigmFlag.NONE)
        self.root = define.system_tree_node("cluster", "machine")
        define.system_tree_node_domain(self.root, SystemTreeDomain.MACHINE)

    def region(self, name: str) -> Any:
        """Return the region of this name."""
        if name not in self.regions:
            is_mpi = name.startswith("MPI_")
            paradigm = Paradigm.MPI if is_mpi else Paradigm.USER
            role = RegionRole.FUNCTION if name in ("main", "solve") else RegionRole.FILE_IO
            self.regions[name] = self.definitions.region(
                name, name, "", role, paradigm, source_file="demo.c", begin_line_number=1
            )
        return self.regions[name]


def machine(archive: Any, names: Names, ranks: int, threads: int) -> list[list[Any]]:
    """Define a machine of one node for each two ranks; returns threads by rank."""
    define = archive.definitions
    found = []
    for rank in range(ranks):
        if rank % 2 == 0:
            node = define.system_tree_node(f"node{rank // 2 + 1}", "node", parent=names.root)
            define.system_tree_node_domain(node, SystemTreeDomain.SHARED_MEMORY)
        name = f"MPI Rank {rank}" if ranks > 1 else "Process"
        group = define.location_group(name, LocationGroupType.PROCESS, node)
        found.append(
            [
                define.location(f"thread {at}", LocationType.CPU_THREAD, group=group)
                for at in range(threads if rank == 0 else 1)
            ]
        )
    return found


def local_numbers(thread: Any, names: Names) -> None:
    """Let a thread have region numbers of its own: the global ones in reverse order."""
    regions = len(names.regions)
    table = _otf2.IdMap_CreateFromUint64Array(list(reversed(range(regions))), False)
    _otf2.DefWriter_WriteMappingTable(thread._def_handle, MappingType.REGION, table)
    _otf2.IdMap_Free(table)
