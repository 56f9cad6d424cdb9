"""blockio for Python: include/blockio.h documents each function.

No package is needed. Buffers are anything with the buffer protocol: ``bytearray``,
``array.array``, ``memoryview``, NumPy arrays.

>>> with blockio.open("field.raw") as file:
...     plan = file.plan(blockio.Array((512, 512, 512)), start=(0, 256, 0), count=(512, 256, 512))
...     values = plan.read()          # a bytearray; plan.read(out) fills a buffer
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from collections.abc import Sequence

MAX_DIMS = 8
TYPES = ("float64", "float32", "int8", "int16", "int32", "int64", "complex64", "complex128", "opaque")
ORDERS = ("C", "F")
BYTE_ORDERS = ("native", "little", "big")
METHODS = ("auto", "independent", "serialized", "grouped", "collective")
MODES = ("read", "write", "create")


class BlockioError(OSError):
    """A call failed; ``status`` is its number in blockio.h, the text says what to do."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char * 256)]


class _Array(ctypes.Structure):
    _fields_ = [
        ("dims", ctypes.c_int),
        ("shape", ctypes.c_int64 * MAX_DIMS),
        ("type", ctypes.c_int),
        ("element_bytes", ctypes.c_size_t),
        ("order", ctypes.c_int),
        ("byte_order", ctypes.c_int),
        ("offset_bytes", ctypes.c_int64),
    ]


class _Block(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int64 * MAX_DIMS) for name in ("start", "count", "stride", "piece", "halo_low", "halo_high")),
        ("periodic", ctypes.c_bool * MAX_DIMS),
        ("other_order", ctypes.c_bool),
    ]


class _Options(ctypes.Structure):
    _fields_ = [
        ("method", ctypes.c_int),
        ("aggregators", ctypes.c_int),
        ("buffer_bytes", ctypes.c_int64),
        ("stripe_bytes", ctypes.c_int64),
        ("stripes", ctypes.c_int),
        ("request_ns", ctypes.c_int64),
    ]


def _number(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise ValueError(f"{name!r}: give one of {', '.join(names)}")
    return names.index(name)


class Library:
    """One build of blockio: ``BLOCKIO_LIBRARY``, or that of the system, or a path."""

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        name = path or os.environ.get("BLOCKIO_LIBRARY") or ctypes.util.find_library("blockio")
        if name is None:
            raise OSError("no libblockio found: install it, or set BLOCKIO_LIBRARY to libblockio.so")
        self._c = ctypes.CDLL(os.fspath(name))
        self._c.blockio_plan_bytes.restype = ctypes.c_int64
        self._c.blockio_note.restype = ctypes.c_char_p

    def call(self, function: str, *arguments: object) -> None:
        """Calls a function whose last argument is an error; raises BlockioError."""
        error = _Error()
        status = getattr(self._c, function)(*arguments, ctypes.byref(error))
        if status != 0:
            raise BlockioError(status, error.text.decode("utf-8", "replace"))

    def open(
        self,
        path: str | os.PathLike[str],
        mode: str = "read",
        comm: object = None,
        method: str = "auto",
        aggregators: int = 0,
        buffer_bytes: int = 0,
        stripe_bytes: int = 0,
        stripes: int = 0,
        request_ns: int = 0,
    ) -> File:
        """Opens a file; ``comm`` is a communicator of mpi4py, for a library with MPI."""
        options = _Options(_number(METHODS, method), aggregators, buffer_bytes, stripe_bytes, stripes, request_ns)
        handle = ctypes.c_void_p()
        rest = (os.fsencode(path), _number(MODES, mode), ctypes.byref(options), ctypes.byref(handle))
        if comm is None:
            self.call("blockio_open", *rest)
        else:
            self.call("blockio_open_fortran", comm.py2f(), *rest)  # type: ignore[attr-defined]
        return File(self, handle)


class Array:
    """An array in a file: shape in elements, the header before it in bytes."""

    def __init__(
        self,
        shape: Sequence[int],
        type: str = "float64",
        order: str = "C",
        byte_order: str = "native",
        offset_bytes: int = 0,
        element_bytes: int = 0,
    ) -> None:
        if len(shape) > MAX_DIMS:
            raise ValueError(f"{len(shape)} dims; give at most {MAX_DIMS}")
        self._c = _Array(
            len(shape),
            (ctypes.c_int64 * MAX_DIMS)(*shape),
            _number(TYPES, type),
            element_bytes,
            _number(ORDERS, order),
            _number(BYTE_ORDERS, byte_order),
            offset_bytes,
        )


class File:
    """An open file; close it, or use it in ``with``."""

    def __init__(self, library: Library, handle: ctypes.c_void_p) -> None:
        self._library, self._handle, self._plans = library, handle, []

    def plan(self, array: Array, start: Sequence[int], count: Sequence[int], **more: object) -> Plan:
        """Plans one block; ``more``: stride, piece, halo_low, halo_high, periodic, other_order."""
        block = _Block()
        for name, numbers in {"start": start, "count": count, **more}.items():
            if name == "other_order":
                block.other_order = bool(numbers)
                continue
            member = getattr(block, name)
            for index, number in enumerate(numbers):  # type: ignore[arg-type]
                member[index] = number
        handle = ctypes.c_void_p()
        self._library.call(
            "blockio_plan_blocks",
            self._open(),
            ctypes.byref(array._c),
            ctypes.byref(block),
            ctypes.c_size_t(1),
            ctypes.byref(handle),
        )
        return self._kept(handle)

    def plan_elements(self, array: Array, indexes: Sequence[int]) -> Plan:
        """Plans single elements by their number in the file's order."""
        handle, numbers = ctypes.c_void_p(), (ctypes.c_int64 * len(indexes))(*indexes)
        self._library.call(
            "blockio_plan_elements",
            self._open(),
            ctypes.byref(array._c),
            numbers,
            ctypes.c_size_t(len(indexes)),
            ctypes.byref(handle),
        )
        return self._kept(handle)

    def close(self) -> None:
        """Closes the file and frees its plans. All ranks of it do so."""
        for plan in self._plans:
            self._library._c.blockio_plan_free(ctypes.byref(plan._handle))
        self._plans.clear()
        self._library.call("blockio_close", ctypes.byref(self._handle))

    def _open(self) -> ctypes.c_void_p:
        if not self._handle:
            raise ValueError("the file is closed")
        return self._handle

    def _kept(self, handle: ctypes.c_void_p) -> Plan:
        self._plans.append(Plan(self, handle))
        return self._plans[-1]

    def __enter__(self) -> File:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Plan:
    """What is transferred; lives as long as its file is open."""

    def __init__(self, file: File, handle: ctypes.c_void_p) -> None:
        self._file, self._handle = file, handle

    @property
    def bytes(self) -> int:
        """Bytes that a buffer must have."""
        return int(self._file._library._c.blockio_plan_bytes(self._handle))

    def note(self, direction: str = "read") -> str:
        """Why the plan uses its method."""
        return self._file._library._c.blockio_note(self._handle, int(direction == "write")).decode()

    def read(self, out: object = None) -> object:
        """Fills ``out``, or a new bytearray, and returns it."""
        out = bytearray(self.bytes) if out is None else out
        self._move("blockio_read", memoryview(out).cast("B"))  # type: ignore[arg-type]
        return out

    def write(self, values: object) -> None:
        """Writes a buffer."""
        view = memoryview(values).cast("B")  # type: ignore[arg-type]
        self._move("blockio_write", memoryview(bytearray(view)) if view.readonly else view)

    def _move(self, function: str, view: memoryview) -> None:
        handle = self._file._open()
        if view.nbytes != self.bytes:
            raise ValueError(f"a buffer of {view.nbytes} bytes; the plan has {self.bytes}")
        if view.readonly:
            raise ValueError("the buffer cannot be written")
        where = (ctypes.c_char * view.nbytes).from_buffer(view) if view.nbytes else None
        self._file._library.call(function, handle, self._handle, where)


def open(path: str | os.PathLike[str], mode: str = "read", **options: object) -> File:  # noqa: A001
    """Opens a file with the default library: see Library.open."""
    return Library().open(path, mode, **options)  # type: ignore[arg-type]
